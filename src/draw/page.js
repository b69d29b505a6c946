"use strict";
(() => {
  const moves = [...document.querySelectorAll("a.move")];
  const board = document.querySelector("svg.board");
  if (!board || moves.length === 0) return;
  const group = (name) => board.querySelector("g." + name);
  const [marks, coordinates, pieces, arrows] =
    ["marks", "coordinates", "pieces", "arrows"].map(group);
  const curve = document.querySelector("svg.curve");
  const colors = { G: "#2f8f3a", R: "#c8362d", Y: "#e0a81c", B: "#2a6fbd" };

  // The moves after each move; the first one continues its line.
  const byId = new Map(moves.map((move) => [move.id, move]));
  const after = new Map(moves.map((move) => [move, []]));
  const before = (move) => byId.get(move.dataset.from);
  for (const move of moves) after.get(before(move))?.push(move);

  let isFlipped = document.querySelector("main").dataset.side === "black";
  let shown = document.querySelector("a.move[aria-current]") ?? moves[0];

  const element = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    return made;
  };
  const corner = (file, rank) => isFlipped
    ? { x: 100 * (7 - file), y: 100 * rank }
    : { x: 100 * file, y: 100 * (7 - rank) };
  const square = (name) => corner(name.charCodeAt(0) - 97, name.charCodeAt(1) - 49);
  const list = (text) => (text ? text.split(" ") : []);

  function drawPieces(placement) {
    const drawn = [];
    placement.split("/").forEach((row, fromTop) => {
      let file = 0;
      for (const char of row) {
        if (char >= "1" && char <= "8") file += Number(char);
        else if (char !== "~") {
          const side = char < "a" ? "w" : "b";
          const href = "#" + side + char.toUpperCase();
          drawn.push(element("use", { href, ...corner(file, 7 - fromTop) }));
          file += 1;
        }
      }
    });
    pieces.replaceChildren(...drawn);
  }

  function drawMarks({ last, check, shapes }) {
    const mark = (name, fill, opacity) =>
      element("rect", { ...square(name), width: 100, height: 100, fill, opacity });
    const drawn = list(last).map((name) => mark(name, "#f2d33c", 0.55));
    if (check) drawn.push(mark(check, "url(#check)", 1));
    const lines = [];
    for (const shape of list(shapes)) {
      const color = shape[0];
      if (shape.length === 3) drawn.push(mark(shape.slice(1), colors[color], 0.6));
      else lines.push(arrow(color, square(shape.slice(1, 3)), square(shape.slice(3))));
    }
    marks.replaceChildren(...drawn);
    arrows.replaceChildren(...lines);
  }

  function arrow(color, from, to) {
    const [x, y] = [to.x - from.x, to.y - from.y];
    const share = 1 - 32 / Math.hypot(x, y);
    return element("line", {
      x1: from.x + 50, y1: from.y + 50, x2: from.x + 50 + share * x, y2: from.y + 50 + share * y,
      stroke: colors[color], "marker-end": "url(#head-" + color + ")",
    });
  }

  function drawCoordinates() {
    const names = [...coordinates.children];
    names.forEach((text, at) => {
      const place = at % 8;
      if (at < 8) text.textContent = "abcdefgh"[isFlipped ? 7 - place : place];
      else text.textContent = isFlipped ? place + 1 : 8 - place;
    });
  }

  // The last clocks up to the shown move.
  function drawClocks() {
    const clocks = {};
    for (let move = shown; move; move = before(move)) {
      const { side, clock } = move.dataset;
      if (clock && !(side in clocks)) clocks[side] = clock;
      if ("w" in clocks && "b" in clocks) break;
    }
    for (const place of document.querySelectorAll(".clock")) {
      place.textContent = clocks[place.dataset.side] ?? "";
    }
  }

  function drawPlayers() {
    const view = document.querySelector(".view");
    const [white, black] = ["w", "b"].map((side) =>
      view.querySelector(`.player[data-side="${side}"]`));
    board.before(isFlipped ? white : black);
    board.after(isFlipped ? black : white);
  }

  function drawCurve() {
    const now = curve?.querySelector(".now");
    let move = shown;
    while (move && !("x" in move.dataset)) move = before(move);
    if (now && move) ["x1", "x2"].forEach((end) => now.setAttribute(end, move.dataset.x));
  }

  function show(move, isScrolled = true) {
    if (!move) return;
    shown.removeAttribute("aria-current");
    shown = move;
    shown.setAttribute("aria-current", "true");
    board.querySelector("title").textContent = "Position: " + shown.textContent;
    drawPieces(move.dataset.board);
    drawMarks(move.dataset);
    drawClocks();
    drawCurve();
    if (isScrolled && innerWidth > 832) move.scrollIntoView({ block: "nearest" });
  }

  function flip() {
    isFlipped = !isFlipped;
    drawCoordinates();
    drawPlayers();
    show(shown, false);
  }

  // The next of the moves in the same position.
  function sibling(step) {
    const all = after.get(before(shown)) ?? [];
    return all[all.indexOf(shown) + step];
  }

  function last() {
    let move = shown;
    for (let next = move; next; next = after.get(move)[0]) move = next;
    return move;
  }

  const actions = {
    first: () => show(moves[0]),
    back: () => show(before(shown)),
    forward: () => show(after.get(shown)[0]),
    last: () => show(last()),
    flip,
  };
  const keys = {
    ArrowLeft: actions.back, ArrowRight: actions.forward,
    Home: actions.first, End: actions.last, f: flip,
  };
  // Where there is one move, these keys scroll the page.
  const siblings = { ArrowUp: -1, ArrowDown: 1 };
  const nav = document.querySelector("nav");
  nav.hidden = false;
  nav.addEventListener("click", (event) => {
    actions[event.target.closest("button")?.dataset.action]?.();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const other = event.key in siblings && sibling(siblings[event.key]);
    const action = other ? () => show(other) : keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.addEventListener("click", (event) => {
    const move = event.target.closest("a.move");
    if (!move) return;
    event.preventDefault();
    show(move, false);
  });
  curve?.addEventListener("click", (event) => {
    const box = curve.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * curve.viewBox.baseVal.width;
    const distance = (move) => Math.abs(move.dataset.x - x);
    const main = moves.filter((move) => "x" in move.dataset);
    show(main.reduce((best, move) => (distance(move) < distance(best) ? move : best)));
  });
  show(byId.get(location.hash.slice(1)) ?? shown, false);
})();
