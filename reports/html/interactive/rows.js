// Charts of rows: bars, intervals and spans, which are named on a line above each, and maps.
import { base, below, colour, legend, legendHeight, look, ROOM, zoom } from "./frame.js";

const BAR = { row: 37, top: 19, height: 14 };
const SPAN = { row: 33, top: 18, height: 11 };

/// The name of each row and what it comes to, above it.
const names = (rows) => ({
  type: "custom",
  silent: true,
  data: rows.map((row, i) => [0, i]),
  renderItem({ dataIndex, coordSys }) {
    const row = rows[dataIndex];
    const y = coordSys.y + dataIndex * (coordSys.height / rows.length) + 5;
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

/// The frame of a chart of rows. The height is what the rows need.
function rowed(data, kind, legendNames, width) {
  const top = legendHeight(legendNames, width) + 4;
  return {
    height: top + kind.row * data.rows.length + ROOM.bottom,
    grid: { left: ROOM.left, right: ROOM.right, top, bottom: ROOM.bottom },
    legend: legend(legendNames, width),
    xAxis: { ...below(data.x), axisLine: { onZero: false, lineStyle: { color: colour("axis") } } },
    yAxis: { type: "value", min: 0, max: data.rows.length, inverse: true, show: false },
    dataZoom: zoom,
  };
}

/// A shape in each row; `shape` draws it from its datum, with x(value) and the row's upper edge.
const shapes = (kind, data, shape) => ({
  type: "custom",
  clip: true,
  data,
  renderItem({ dataIndex }, api) {
    const one = data[dataIndex];
    const x = (value) => api.coord([value, 0])[0];
    return shape(one, x, api.coord([0, one.row])[1] + kind.top);
  },
});

const rect = (x, y, width, height, fill) => ({ type: "rect", shape: { x, y, width, height }, style: { fill } });

export function bars(data, width) {
  const all = data.rows.map((row, i) => ({ ...row, row: i, value: [row.from, i], said: row.value }));
  return {
    ...base(({ data: one }) => `${one.name}\n${one.said}`),
    ...rowed(data, BAR, [], width),
    series: [
      shapes(BAR, all, (bar, x, y) => {
        const [left, right] = [x(Math.min(bar.from, bar.to)), x(Math.max(bar.from, bar.to))];
        const least = bar.from === bar.to ? 0 : 1;
        return rect(left, y, Math.max(right - left, least), BAR.height, look(bar.colour).color);
      }),
      names(data.rows),
    ],
  };
}

export function intervals(data, width) {
  const all = data.rows.map((row, i) => ({ ...row, row: i, value: [row.at, i], said: row.value }));
  const line = (x1, y1, x2, y2, stroke) => ({
    type: "line", shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth: 1.8, fill: null },
  });
  const frame = rowed(data, BAR, [], width);
  return {
    ...base(({ data: one }) => `${one.name}\n${one.said}`),
    ...frame,
    series: [
      shapes(BAR, all, (row, x, y) => {
        const fill = look(row.colour).color;
        const middle = y + BAR.height / 2;
        const children = [{ type: "circle", shape: { cx: x(row.at), cy: middle, r: 4.5 }, style: { fill } }];
        if (row.low !== null && row.high !== null) {
          children.push(line(x(row.low), middle, x(row.high), middle, fill));
          for (const end of [row.low, row.high])
            children.push(line(x(end), middle - 4, x(end), middle + 4, fill));
        }
        children.push(line(x(0), y - BAR.top, x(0), y - BAR.top + BAR.row, colour("axis")));
        return { type: "group", children };
      }),
      names(data.rows),
    ],
  };
}

export function spans(data, width) {
  const all = data.rows.flatMap((row, i) =>
    row.spans.map(([begin, end, classes, tip]) => ({ row: i, begin, end, classes, tip, name: row.name, value: [begin, i] })));
  const classes = [...new Set(all.map((one) => one.classes))];
  return {
    ...base(({ data: one }) => (one.tip ? one.tip : one.name)),
    ...rowed(data, SPAN, data.legend.map((one) => one.name), width),
    series: classes
      .map((its) => ({
        name: data.legend.find((one) => one.colour === its)?.name || its,
        itemStyle: { color: look(its).color }, // in the legend
        ...shapes(SPAN, all.filter((one) => one.classes === its), (span, x, y) =>
          rect(x(span.begin), y, Math.max(x(span.end) - x(span.begin), 0.8), SPAN.height, look(its).color)),
      }))
      .concat(names(data.rows)),
  };
}

/// A series of each shade, so that the legend switches it off.
export function map(data, width) {
  const wide = data.columns.length;
  const top = legendHeight(data.legend.map((one) => one.name), width) + 6;
  const row = data.rows.length > 20 ? Math.max(3, 360 / data.rows.length) : 20;
  const left = Math.min(130, Math.max(...data.rows.map((name) => 7 * name.length))) + 12;
  const cells = data.shades
    .map((shade, i) => ({ shade, column: i % wide, row: Math.floor(i / wide) }))
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
  /// The label of a cell's column or of the last one before it that has one.
  const nameOf = (texts, at) => texts.slice(0, at + 1).findLast((text) => text) || "";
  const said = ({ data: one }) =>
    `${nameOf(data.rows, one.row)}, ${nameOf(data.columns, one.column)}\n${data.legend[one.shade].name}`;
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
    yAxis: { ...labels(data.rows, { width: 130, overflow: "truncate" }), inverse: true },
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
