// Charts over two axes: lines, stacks and points.
import { base, colour, look, number, plane, position } from "./frame.js";

/// What all lines are at the pointer's x.
const atPointer = (x) => (points) =>
  [position(x, points[0].axisValue)]
    .concat(points.map((one) => `${one.seriesName}: ${number(one.value[1])}`))
    .join("\n");

export function lines(data, width) {
  return {
    ...base(atPointer(data.x), "axis"),
    ...plane(data, data.series.map((one) => one.name), width),
    series: data.series.map((one) => {
      const { color, type } = look(one.colour);
      return {
        type: "line",
        name: one.name,
        data: one.points,
        step: data.steps ? "end" : false,
        showSymbol: false,
        itemStyle: { color },
        lineStyle: { width: 2, color, type },
      };
    }),
  };
}

export function stack(data, width) {
  return {
    ...base(atPointer(data.x), "axis"),
    ...plane(data, data.layers.map((one) => one.name), width),
    series: data.layers.map((one) => {
      const { color } = look(one.colour);
      return {
        type: "line",
        name: one.name,
        symbol: "rect", // in the legend
        stack: "all",
        data: data.from.concat(data.x.max).map((at, i) => [at, one.values[Math.min(i, one.values.length - 1)]]),
        step: "end",
        showSymbol: false,
        itemStyle: { color },
        lineStyle: { width: 0 },
        areaStyle: { color, opacity: 1 },
      };
    }),
  };
}

/// Points without names, of one colour and size.
const dots = (name, { color, opacity }, symbol, symbolSize, data) => ({
  type: "scatter", name, symbol, symbolSize, data, itemStyle: { color, opacity },
});

/// A line that is not under the pointer.
const path = (data, lineStyle) => ({ type: "line", step: "end", showSymbol: false, silent: true, data, lineStyle });

const straight = (data, lineStyle) => ({ ...path(data, lineStyle), step: false });

/// Points by colour, and the line that joins those of the front.
export function points(data, width) {
  const series = [...new Set(data.points.map(([, , classes]) => classes))].map((classes) => ({
    type: "scatter",
    name: data.legend.find((one) => one.colour === classes)?.name || classes,
    symbolSize: 9,
    itemStyle: { color: look(classes).color, opacity: look(classes).opacity },
    labelLayout: { hideOverlap: true },
    data: data.points
      .filter((point) => point[2] === classes)
      .map(([x, y, , name, isNamed]) => ({
        name,
        value: [x, y],
        label: {
          show: isNamed,
          formatter: () => name,
          position: "right",
          color: colour("ink"),
          textBorderColor: colour("page"),
          textBorderWidth: 3,
          width: 230,
          overflow: "truncate",
        },
      })),
  }));
  const named = (classes) => data.legend.find((one) => classes.split(" ").includes(one.colour))?.name || classes;
  for (const { colour: classes, name, at } of data.clouds)
    series.push(dots(named(classes), look(classes), "circle", look(classes).width, at.map((value) => ({ name, value }))));
  for (const { colour: classes, name, top, right } of data.edges) {
    const beyond = (side) => (value) => ({ name, value, side });
    const at = (values, side, place) => values.map(place).map(beyond(side));
    series.push(dots(named(classes), look(classes), "rect", [2, 18], at(top, "top", (x) => [x, data.y.max])));
    series.push(dots(named(classes), look(classes), "rect", [18, 2], at(right, "right", (y) => [data.x.max, y])));
  }
  const { color, type } = look("s5");
  if (data.front.length > 1)
    series.unshift(path(data.front.map((place) => data.points[place].slice(0, 2)), { width: 1.8, color, type }));
  if (data.diagonal)
    series.unshift(straight([[data.x.min, data.y.min], [data.x.max, data.y.max]], { width: 1, color: colour("axis") }));
  const goal = look("s1");
  const guide = ({ name }, ends, position) => ({
    ...straight(ends, { width: 1.5, color: goal.color, type: [6, 4] }),
    endLabel: { show: true, formatter: () => name, color: colour("ink"), ...position },
    clip: false,
  });
  if (data.y_guide)
    series.push(guide(data.y_guide, [[data.x.min, data.y_guide.at], [data.x.max, data.y_guide.at]], { align: "right", offset: [0, -9] }));
  if (data.x_guide)
    series.push(guide(data.x_guide, [[data.x_guide.at, data.y.min], [data.x_guide.at, data.y.max]], { offset: [0, 10] }));
  /// What lies beyond an edge has no place on that axis.
  const said = ({ name, value, data: { side } }) => {
    const places = [`${data.x.title}: ${position(data.x, value[0])}`, `${data.y.title}: ${position(data.y, value[1])}`];
    return [name, ...places.filter((_, i) => !(side === "top" && i === 1) && !(side === "right" && i === 0))].join("\n");
  };
  return {
    ...base(said),
    ...plane(data, data.legend.map((one) => one.name), width),
    series,
  };
}
