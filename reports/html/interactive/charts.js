// Draws the charts of a page anew, so that one can point, zoom and switch parts off. Everything it shows is
// in the page: a block of JSON beside each drawing (reports/charts/chart_data.hpp). The drawing stays for
// paper and for screen readers.
import { use, init } from "echarts/core";
import { CustomChart, LineChart, ParallelChart, SankeyChart, ScatterChart } from "echarts/charts";
import {
  DataZoomComponent, GridComponent, LegendComponent, ParallelComponent, TooltipComponent,
} from "echarts/components";
import { LabelLayout } from "echarts/features";
import { CanvasRenderer } from "echarts/renderers";
import { flows, parallel } from "./flows.js";
import { lines, points, stack } from "./planes.js";
import { bars, intervals, map, spans } from "./rows.js";

use([
  CustomChart, LineChart, ParallelChart, SankeyChart, ScatterChart,
  DataZoomComponent, GridComponent, LegendComponent, ParallelComponent, TooltipComponent,
  LabelLayout, CanvasRenderer,
]);

const builders = { bars, flows, intervals, lines, map, parallel, points, spans, stack };

function show(figure) {
  const block = figure.querySelector("script[type='application/json']");
  const svg = figure.querySelector("svg");
  const data = JSON.parse(block.textContent);
  const box = document.createElement("div");
  box.className = "live";
  box.setAttribute("aria-hidden", "true"); // the drawing says it
  const drawn = Math.max(svg.getBoundingClientRect().height, 280);
  svg.before(box);
  figure.classList.add("is-live");
  let chart;
  const draw = () => {
    const { height, ...option } = builders[data.kind](data, box.clientWidth);
    box.style.height = `${Math.round(height || drawn)}px`;
    chart ||= init(box, null, { renderer: "canvas" });
    chart.resize();
    chart.setOption(option, true);
  };
  draw();
  let width = box.clientWidth;
  new ResizeObserver(() => {
    if (box.clientWidth > 0 && box.clientWidth !== width) { // on paper it is not shown
      width = box.clientWidth;
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
