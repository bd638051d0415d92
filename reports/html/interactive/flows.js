// What of a whole goes where, and what things are on each of many axes.
import { base, colour, legend, legendHeight, look } from "./frame.js";

/// Parts are identified by their index: two may have the same name.
export function flows(data) {
  const parts = data.parts;
  const most = Math.max(...[0, 1, 2].map((column) => parts.filter((part) => part.column === column).length));
  const said = ({ dataType, data: one }) => {
    const part = parts[Number(dataType === "edge" ? one.target : one.name)];
    return `${part.name}: ${part.value}`;
  };
  return {
    ...base(said),
    height: Math.max(260, 44 * most),
    series: [{
      type: "sankey",
      left: 0, right: 150, top: 8, bottom: 18,
      nodeWidth: 10,
      nodeGap: 30,
      layoutIterations: 0, // parts stay in the order of the bill
      draggable: false,
      emphasis: { focus: "adjacency" },
      data: parts.map((part, i) => ({
        name: String(i),
        depth: part.column,
        itemStyle: { color: look(part.colour).color, borderWidth: 0 },
        label: {
          color: colour("ink"), textBorderColor: colour("page"), textBorderWidth: 3, position: "right",
          formatter: () => `${part.name}\n${part.value}`, lineHeight: 15, width: 140, overflow: "truncate",
        },
      })),
      links: parts.flatMap((part, i) => (part.column === 0 ? [] : [{
        source: String(part.from),
        target: String(i),
        value: Math.max(part.size, 1e-9),
        lineStyle: { color: look(part.colour).color, opacity: 0.3 },
      }])),
    }],
  };
}

/// Lines of one colour are a series; dragging along an axis picks those that pass there.
export function parallel(data, width) {
  const names = data.legend.map((one) => one.name);
  const room = width / data.axes.length;
  const classes = [...new Set(data.lines.map((one) => one.colour))];
  return {
    ...base(({ data: one }) => one.name),
    height: 290 + legendHeight(names, width),
    legend: legend(names, width),
    parallel: {
      left: 10, right: room - 10, top: legendHeight(names, width) + 30, bottom: 16,
      axisExpandable: false,
    },
    parallelAxis: data.axes.map((one, i) => ({
      dim: i,
      type: "value",
      min: 0,
      max: 1,
      name: one.title,
      nameTextStyle: { color: colour("quiet"), align: "left", width: room - 6, overflow: "truncate" },
      nameTruncate: { maxWidth: room - 6 },
      nameGap: 12,
      axisLine: { lineStyle: { color: colour("axis") } },
      axisTick: { show: false },
      splitLine: { show: false },
      axisLabel: {
        color: colour("ink"), textBorderColor: colour("page"), textBorderWidth: 3, align: "left", inside: false,
        margin: -5, hideOverlap: true, width: room - 12, overflow: "truncate",
        customValues: one.ticks.map(([at]) => at),
        formatter: (value) => one.ticks.find(([at]) => Math.abs(at - value) < 1e-6)?.[1] || "",
      },
    })),
    series: classes.map((its) => ({
      type: "parallel",
      name: data.legend.find((one) => one.colour === its.split(" ")[0])?.name || its,
      itemStyle: { color: look(its).color },
      lineStyle: { width: 1.2, color: look(its).color, opacity: look(its).opacity },
      emphasis: { lineStyle: { width: 3, opacity: 1 } },
      data: data.lines.filter((one) => one.colour === its).map((one) => ({ name: one.name, value: one.at })),
    })),
  };
}
