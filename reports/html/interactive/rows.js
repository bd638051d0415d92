// Charts of rows: bars, intervals and spans, which are named on a line above each, and maps.
import { base, below, colour, legend, legendHeight, look, ROOM, zoom } from "./frame.js";

const TEXT = 18; // above each shape
const GAP = 4;
const BAR = { shape: 14 };
const SPAN = { shape: 11, lane: 4 };

/// Where rows begin, in pixels below the first, and at the end where the last of them ends.
function tops(rows, kind) {
  const heights = rows.map((row) => TEXT + Math.max(kind.shape, (kind.lane || 0) * (row.lanes || 1)) + GAP);
  return heights.reduce((sums, height) => sums.concat(sums.at(-1) + height), [0]);
}

/// The name of each row and what it comes to, above it.
const names = (rows, top) => ({
  type: "custom",
  silent: true,
  data: rows.map((row, i) => [0, top[i]]),
  renderItem({ dataIndex, coordSys }) {
    const row = rows[dataIndex];
    const y = coordSys.y + top[dataIndex] + 4;
    const font = '12px "Helvetica Neue",Arial,"Liberation Sans",sans-serif';
    const style = { fill: colour("ink"), stroke: colour("page"), lineWidth: 3, font };
    const room = coordSys.width - 7 * row.value.length - 12;
    return {
      type: "group",
      children: [
        {
          type: "text", x: coordSys.x, y,
          style: { ...style, text: row.name, width: room, overflow: "truncate" },
        },
        { type: "text", x: coordSys.x + coordSys.width, y, style: { ...style, text: row.value, align: "right" } },
      ],
    };
  },
  tooltip: { show: false },
  z: 3,
});

/// The frame of a chart of rows: as high as they are, a pixel of height one of its axis.
function rowed(data, top, legendNames, width) {
  const head = legendHeight(legendNames, width) + 4;
  return {
    height: head + top.at(-1) + ROOM.bottom,
    grid: { left: ROOM.left, right: ROOM.right, top: head, bottom: ROOM.bottom },
    legend: legend(legendNames, width),
    xAxis: { ...below(data.x), axisLine: { onZero: false, lineStyle: { color: colour("axis") } } },
    yAxis: { type: "value", min: 0, max: top.at(-1), inverse: true, show: false },
    dataZoom: zoom,
  };
}

/// A shape in each row; `shape` draws it from its datum, with x(value) and the upper edge of its place.
const shapes = (top, data, shape) => ({
  type: "custom",
  clip: true,
  data,
  renderItem({ dataIndex, coordSys }, api) {
    const one = data[dataIndex];
    const x = (value) => api.coord([value, 0])[0];
    return shape(one, x, coordSys.y + top[one.row] + TEXT);
  },
});

const rect = (x, y, width, height, fill) => ({ type: "rect", shape: { x, y, width, height }, style: { fill } });

export function bars(data, width) {
  const top = tops(data.rows, BAR);
  const all = data.rows.map((row, i) => ({ ...row, row: i, value: [row.from, top[i]], said: row.value }));
  return {
    ...base(({ data: one }) => `${one.name}\n${one.said}`),
    ...rowed(data, top, [], width),
    series: [
      shapes(top, all, (bar, x, y) => {
        const [left, right] = [x(Math.min(bar.from, bar.to)), x(Math.max(bar.from, bar.to))];
        const least = bar.from === bar.to ? 0 : 1;
        return rect(left, y, Math.max(right - left, least), BAR.shape, look(bar.colour).color);
      }),
      names(data.rows, top),
    ],
  };
}

export function intervals(data, width) {
  const top = tops(data.rows, BAR);
  const all = data.rows.map((row, i) => ({ ...row, row: i, value: [row.at, top[i]], said: row.value }));
  const line = (x1, y1, x2, y2, stroke) => ({
    type: "line", shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth: 1.8, fill: null },
  });
  return {
    ...base(({ data: one }) => `${one.name}\n${one.said}`),
    ...rowed(data, top, [], width),
    series: [
      shapes(top, all, (row, x, y) => {
        const fill = look(row.colour).color;
        const middle = y + BAR.shape / 2;
        const children = [{ type: "circle", shape: { cx: x(row.at), cy: middle, r: 4.5 }, style: { fill } }];
        if (row.low !== null && row.high !== null) {
          children.push(line(x(row.low), middle, x(row.high), middle, fill));
          for (const end of [row.low, row.high])
            children.push(line(x(end), middle - 4, x(end), middle + 4, fill));
        }
        if (data.guide)
          children.push(line(x(data.guide.at), y - TEXT, x(data.guide.at), y + BAR.shape + GAP, look("s1").color));
        children.push(line(x(0), y - TEXT, x(0), y + BAR.shape + GAP, colour("axis")));
        return { type: "group", children };
      }),
      names(data.rows, top),
    ],
  };
}

export function spans(data, width) {
  const top = tops(data.rows, SPAN);
  const all = data.rows.flatMap((row, i) =>
    row.spans.map(([begin, end, classes, tip, lane, lanes]) => ({
      row: i, begin, end, classes, tip, lane, lanes, name: row.name, value: [begin, top[i]],
    })));
  const laneHeight = (row) => (top[row + 1] - top[row] - TEXT - GAP) / data.rows[row].lanes;
  /// What lies between the spans of several lanes is free.
  const free = data.rows
    .map((row, i) => ({ row: i, name: row.name, lanes: row.lanes, value: [data.x.min, top[i]] }))
    .filter((one) => one.lanes > 1);
  const classes = [...new Set(all.map((one) => one.classes))];
  return {
    ...base(({ data: one }) => (one.tip ? one.tip : one.name)),
    ...rowed(data, top, data.legend.map((one) => one.name), width),
    series: [{
      name: "free",
      itemStyle: { color: look("h0").color },
      ...shapes(top, free, (one, x, y) =>
        rect(x(data.x.min), y, x(data.x.max) - x(data.x.min), laneHeight(one.row) * one.lanes, look("h0").color)),
    }].concat(classes
      .map((its) => ({
        name: data.legend.find((one) => one.colour === its)?.name || its,
        itemStyle: { color: look(its).color }, // in the legend
        ...shapes(top, all.filter((one) => one.classes === its), (span, x, y) => {
          const high = laneHeight(span.row);
          const wide = Math.max(x(span.end) - x(span.begin), 0.8);
          const isEdged = data.rows[span.row].lanes > 1 && wide > 2; // else the edge is all that is left of it
          const edge = isEdged ? { stroke: colour("page"), lineWidth: 0.5 } : {};
          const drawn = rect(x(span.begin), y + high * span.lane, wide, high * span.lanes, look(its).color);
          return { ...drawn, style: { ...drawn.style, ...edge } };
        }),
      })))
      .concat(names(data.rows, top)),
  };
}

/// A series of each shade, so that the legend switches it off.
export function map(data, width) {
  const wide = data.columns.length;
  const top = legendHeight(data.legend.map((one) => one.name), width) + 6;
  const row = data.rows.length > 20 ? Math.max(3, 520 / data.rows.length) : 20;
  const left = Math.min(130, Math.max(...data.rows.map((name) => 7 * name.length))) + 12;
  const cells = data.shades
    .map((shade, i) => ({ shade, percent: data.percent?.[i], column: i % wide, row: Math.floor(i / wide) }))
    .filter((one) => one.shade !== null)
    .map((one) => ({ ...one, value: [one.column, one.row] }));
  const labels = (texts, more) => ({
    type: "category",
    data: texts.map((_, i) => i),
    axisLabel: { color: colour("ink"), formatter: (i) => texts[i], hideOverlap: true, ...more },
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: false },
  });
  const amount = (one) =>
    (one.percent === undefined ? `about ${data.legend[one.shade].name}` : `${one.percent} % ${data.unit}`);
  const said = ({ data: one }) => `${data.rows[one.row]}, ${data.names[one.column]}\n${amount(one)}`;
  return {
    ...base(said),
    height: top + row * data.rows.length + ROOM.bottom,
    grid: { left, right: ROOM.right, top, bottom: ROOM.bottom },
    legend: legend(data.legend.map((one) => one.name), width),
    xAxis: {
      ...labels(data.columns, { interval: (i) => data.columns[i] !== "" }),
      name: data.title, nameLocation: "end", nameGap: 0,
      nameTextStyle: { color: colour("quiet"), align: "right", verticalAlign: "top", padding: [28, 0, 0, 0] },
    },
    yAxis: { ...labels(data.rows, { width: 130, overflow: "truncate", fontSize: 11 }), inverse: true },
    series: data.legend.map(({ name, colour: its }, shade) => {
      const fill = look(its).color;
      const own = cells.filter((one) => one.shade === shade);
      return {
        type: "custom",
        name,
        itemStyle: { color: fill },
        data: own,
        renderItem({ dataIndex }, api) {
          const [w, h] = api.size([1, 1]);
          const [x, y] = api.coord(own[dataIndex].value);
          return rect(x - w / 2, y - h / 2, w + 0.5, h + 0.5, fill);
        },
      };
    }),
  };
}
