// What all charts have in common: colours of the page's style sheet, axes with the marks of the drawing,
// numbers, and the line that a pointer reads.

export const ROOM = { left: 8, right: 8, bottom: 46 }; // around charts whose rows are named above them
const FONT = '"Helvetica Neue",Arial,"Liberation Sans",sans-serif';
const page = getComputedStyle(document.documentElement);

/// A colour of the page itself: ink, quiet, line, axis, panel.
export const colour = (name) => page.getPropertyValue(`--${name}`).trim();

/// What the style sheet makes of the classes of a shape: its colour, and the dashes and width of a line.
export function look(classes) {
  let probe = document.getElementById("look");
  if (!probe) {
    const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drawing.setAttribute("aria-hidden", "true");
    drawing.style.display = "none";
    probe = document.createElementNS("http://www.w3.org/2000/svg", "line");
    probe.id = "look";
    drawing.append(probe);
    document.body.append(drawing);
  }
  probe.setAttribute("class", `stroke ${classes}`);
  const style = getComputedStyle(probe);
  const dashes = style.strokeDasharray.split(/[ ,]+/).map(parseFloat).filter(Number.isFinite);
  return {
    color: style.getPropertyValue("--c").trim(),
    type: dashes.length ? dashes : "solid",
    opacity: Number(style.opacity),
    width: parseFloat(style.strokeWidth),
  };
}

export const number = (value) =>
  Number(value.toPrecision(6)).toLocaleString("en-US", { maximumFractionDigits: 6 });

function span(seconds) {
  const units = [[86400, 172800, "d"], [3600, 7200, "h"], [60, 120, "min"]];
  const [size, , name] = units.find(([, least]) => seconds >= least) || [1, 0, "s"];
  return `${number(Number((seconds / size).toPrecision(3)))} ${name}`;
}

/// The moment or value at which the pointer stands, as the nearest mark before it says it.
export function position(of, value) {
  if (!of.is_time)
    return of.log && of.ticks.some(([, label]) => / (s|min|h|d)$/.test(label)) ? span(value) : number(value);
  if (of.zero === undefined)
    return span(value / 1000);
  return new Date(of.zero + value).toISOString().replace("T", " ").replace(/(:\d\d)\.\d+Z/, "$1Z");
}

/// What every chart has. `say` turns what the pointer rests on into lines of text.
export function base(say, trigger = "item") {
  return {
    animation: false,
    textStyle: { fontFamily: FONT, color: colour("ink") },
    tooltip: {
      trigger,
      formatter: say,
      renderMode: "richText", // no markup: a name is text and nothing else
      confine: true,
      backgroundColor: colour("panel"),
      borderColor: colour("axis"),
      textStyle: { color: colour("ink"), fontSize: 12, width: 380, overflow: "break" },
    },
  };
}

/// An axis with the marks that the drawing has.
export function axis(of) {
  const label = (value) => {
    const tick = of.ticks.find(([at]) => Math.abs(at - value) <= 1e-9 * Math.abs(of.max - of.min));
    return tick ? tick[1] : "";
  };
  const marks = of.ticks.map(([at]) => at);
  return {
    type: of.log ? "log" : "value",
    min: of.min,
    max: of.max,
    name: of.title,
    nameTextStyle: { color: colour("quiet") },
    axisLine: { show: true, lineStyle: { color: colour("axis") } },
    splitLine: { lineStyle: { color: colour("line") } },
    axisLabel: of.log || of.is_time
      ? { color: colour("ink"), customValues: marks, formatter: label }
      : { color: colour("ink") },
    axisTick: of.log || of.is_time ? { customValues: marks } : {},
  };
}

/// The axis below a chart.
export const below = (of) => ({ ...axis(of), nameLocation: "middle", nameGap: 28 });

/// Rows of a legend of that width in pixels.
export function legendRows(names, width) {
  let [rows, taken] = [names.length > 1 ? 1 : 0, 0];
  for (const name of names) {
    const needed = 46 + 7 * name.length;
    if (taken > 0 && taken + needed > width)
      [rows, taken] = [rows + 1, 0];
    taken += needed;
  }
  return rows;
}

/// The height of a legend, and the legend itself.
export const legendHeight = (names, width) => 24 * legendRows(names, width);
export function legend(names, width) {
  return names.length > 1
    ? { data: names, top: 0, left: 0, width, textStyle: { color: colour("ink") } }
    : undefined;
}

/// Zooming along x, but not while the page is scrolled.
export const zoom = [{ type: "inside", xAxisIndex: 0, filterMode: "none", zoomOnMouseWheel: "ctrl" }];

/// Two axes with a legend above them.
export function plane(data, names, width) {
  const y = { ...axis(data.y), nameLocation: "end", nameGap: 12 };
  y.nameTextStyle = { ...y.nameTextStyle, align: "left" };
  return {
    grid: { left: 52, right: 20, top: 34 + legendHeight(names, width), bottom: ROOM.bottom },
    legend: legend(names, width),
    xAxis: { ...below(data.x), splitLine: { show: false } },
    yAxis: y,
    dataZoom: zoom,
  };
}
