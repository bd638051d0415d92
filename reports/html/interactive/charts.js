// Draws the charts of a page that have many points anew, so that one can point, zoom and switch lines
// off; bars, rows and maps have their figures written on them, and stay as they are. Everything it shows is in the page: a block of JSON beside each drawing (reports/charts/chart_data.hpp). The
// drawing stays for paper and for screen readers.
import { use, init } from "echarts/core";
import { LineChart } from "echarts/charts";
import { DataZoomComponent, GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { CanvasRenderer } from "echarts/renderers";

use([
  LineChart,
  DataZoomComponent, GridComponent, LegendComponent, TooltipComponent,
  CanvasRenderer,
]);

const FONT = '"Helvetica Neue",Arial,"Liberation Sans",sans-serif';
const DASHES = { s1: [7, 3], s2: [2, 2], s3: [9, 3, 2, 3], s4: [4, 2], s5: [1, 3] };
const page = getComputedStyle(document.documentElement);
const colour = (name) => page.getPropertyValue(`--${name}`).trim() || page.getPropertyValue("--other").trim();
const number = (value) => Number(value.toPrecision(6)).toLocaleString("en-US", { maximumFractionDigits: 6 });

/// What all charts have in common.
function base() {
  return {
    animation: false,
    textStyle: { fontFamily: FONT, color: colour("ink") },
    tooltip: {
      renderMode: "richText", // no markup: a name is text and nothing else
      confine: true,
      backgroundColor: colour("panel"),
      borderColor: colour("axis"),
      textStyle: { color: colour("ink"), fontSize: 12 },
    },
  };
}

/// An axis with the marks that the drawing has.
function axis(of) {
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
    axisLine: { lineStyle: { color: colour("axis") } },
    splitLine: { lineStyle: { color: colour("line") } },
    axisLabel: of.log || of.is_time
      ? { color: colour("ink"), customValues: marks, formatter: label }
      : { color: colour("ink") },
    axisTick: of.log || of.is_time ? { customValues: marks } : {},
  };
}

/// Rows that a legend takes in so many pixels.
function legendRows(names, width) {
  let [rows, taken] = [names.length > 1 ? 1 : 0, 0];
  for (const name of names) {
    const needed = 46 + 7 * name.length;
    if (taken > 0 && taken + needed > width)
      [rows, taken] = [rows + 1, 0];
    taken += needed;
  }
  return rows;
}

function frame(data, names, width) {
  const x = { ...axis(data.x), nameLocation: "middle", nameGap: 28, splitLine: { show: false } };
  const y = { ...axis(data.y), nameLocation: "end", nameGap: 12 };
  y.nameTextStyle = { ...y.nameTextStyle, align: "left" };
  return {
    ...base(),
    grid: { left: 52, right: 20, top: 34 + 24 * legendRows(names, width), bottom: 46 },
    legend: names.length > 1
      ? { data: names, top: 0, left: 0, width, textStyle: { color: colour("ink") } }
      : undefined,
    xAxis: x,
    yAxis: y,
    dataZoom: [{ type: "inside", xAxisIndex: 0, filterMode: "none", zoomOnMouseWheel: "ctrl" }],
  };
}

/// The moment or value at which the pointer stands, as the nearest mark before it says it.
function position(of, value) {
  if (!of.is_time)
    return of.log && of.ticks.some(([, label]) => / (s|min|h|d)$/.test(label)) ? span(value) : number(value);
  if (of.zero === undefined)
    return span(value / 1000);
  return new Date(of.zero + value).toISOString().replace("T", " ").replace(/(:\d\d)\.\d+Z/, "$1Z");
}

function span(seconds) {
  const units = [[86400, 172800, "d"], [3600, 7200, "h"], [60, 120, "min"]];
  const [size, , name] = units.find(([, least]) => seconds >= least) || [1, 0, "s"];
  return `${number(Number((seconds / size).toPrecision(3)))} ${name}`;
}

const builders = {
  lines(data, width) {
    return {
      ...frame(data, data.series.map((one) => one.name), width),
      tooltip: {
        ...base().tooltip,
        trigger: "axis",
        formatter: (points) =>
          [position(data.x, points[0].axisValue)]
            .concat(points.map((one) => `${one.seriesName}: ${number(one.value[1])}`))
            .join("\n"),
      },
      series: data.series.map((one) => ({
        type: "line",
        name: one.name,
        data: one.points,
        step: data.steps ? "end" : false,
        showSymbol: false,
        itemStyle: { color: colour(one.colour) },
        lineStyle: { width: 2, color: colour(one.colour), type: DASHES[one.colour] || "solid" },
      })),
    };
  },
  stack(data, width) {
    return {
      ...frame(data, data.layers.map((one) => one.name), width),
      tooltip: {
        ...base().tooltip,
        trigger: "axis",
        formatter: (points) =>
          [position(data.x, points[0].axisValue)]
            .concat(points.map((one) => `${one.seriesName}: ${number(one.value[1])}`))
            .join("\n"),
      },
      series: data.layers.map((one) => ({
        type: "line",
        name: one.name,
        symbol: "rect", // in the legend
        stack: "all",
        data: data.from.concat(data.x.max).map((at, i) => [at, one.values[Math.min(i, one.values.length - 1)]]),
        step: "end",
        showSymbol: false,
        itemStyle: { color: colour(one.colour) },
        lineStyle: { width: 0 },
        areaStyle: { color: colour(one.colour), opacity: 1 },
      })),
    };
  },
};

function show(figure) {
  const block = figure.querySelector("script[type='application/json']");
  const svg = figure.querySelector("svg");
  const data = JSON.parse(block.textContent);
  if (!builders[data.kind])
    return;
  const box = document.createElement("div");
  box.className = "live";
  box.setAttribute("aria-hidden", "true"); // the drawing says it
  const size = svg.getBoundingClientRect();
  box.style.height = `${Math.round(Math.max(size.height, 280))}px`;
  svg.before(box);
  figure.classList.add("is-live");
  const chart = init(box, null, { renderer: "canvas" });
  const draw = () => chart.setOption(builders[data.kind](data, box.clientWidth), true);
  draw();
  new ResizeObserver(() => {
    if (box.clientWidth > 0) { // on paper it is not shown
      chart.resize();
      draw();
    }
  }).observe(box);
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", draw);
}

// Where it comes into view: a page has twenty charts, and a telephone little time.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries)
    if (isIntersecting) {
      seen.unobserve(target);
      show(target);
    }
}, { rootMargin: "400px" });
for (const block of document.querySelectorAll("figure > script[type='application/json']"))
  seen.observe(block.parentElement);
