// What is wrong with how a page looks, as a list of sentences; evaluated in the page by
// browser_test.py, which gives the least height of text.
(leastText) => {
  const found = [];
  const rgb = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const luminance = (colour) =>
    rgb(colour)
      .slice(0, 3)
      .map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = getComputedStyle(document.body).backgroundColor;
  const isShown = (element) => element.getClientRects().length > 0;
  const say = (text) => found.length < 20 && found.push(text);

  for (const figure of document.querySelectorAll("figure")) {
    if (figure.querySelector(".live")?.getClientRects().length)
      continue; // a canvas stands in for its drawing here
    const svg = figure.querySelector("svg");
    const box = svg && svg.getBoundingClientRect();
    if (!box || box.width < 200 || box.height < 40) {
      say(`${figure.id}: no drawing`);
      continue;
    }
    const scale = box.width / svg.viewBox.baseVal.width;
    const texts = [...svg.querySelectorAll("text")].map((text) => {
      const rect = text.getBoundingClientRect();
      // A line of text is higher than its letters.
      return { text, rect, top: rect.top + rect.height * 0.2, bottom: rect.bottom - rect.height * 0.2 };
    });
    texts.forEach(({ text, rect, top, bottom }, i) => {
      const words = `${figure.id}: "${text.textContent.slice(0, 40)}"`;
      if (rect.left < box.left - 1 || rect.right > box.right + 1 || bottom > box.bottom || top < box.top)
        say(`${words} is clipped`);
      if (parseFloat(getComputedStyle(text).fontSize) * scale < leastText) say(`${words} is too small`);
      if (contrast(getComputedStyle(text).fill, ground) < 4.5) say(`${words} is too pale`);
      for (const other of texts.slice(i + 1))
        if (
          Math.min(rect.right, other.rect.right) - Math.max(rect.left, other.rect.left) > 1 &&
          Math.min(bottom, other.bottom) - Math.max(top, other.top) > 1
        )
          say(`${words} overlaps "${other.text.textContent.slice(0, 40)}"`);
    });
  }
  for (const element of document.querySelectorAll("h1,h2,h3,p,dt,dd,th,td,summary"))
    if (isShown(element) && contrast(getComputedStyle(element).color, ground) < 4.5)
      say(`<${element.localName}> "${element.textContent.slice(0, 40)}" is too pale`);
  if (document.documentElement.scrollWidth > window.innerWidth)
    say(`the page is ${document.documentElement.scrollWidth} wide, the window ${window.innerWidth}`);
  return found;
}
