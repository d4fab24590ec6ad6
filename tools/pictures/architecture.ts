import { importsOf } from "../architecture/imports.ts";
import { isIn, order, type Room, sourceFiles } from "../architecture/order.ts";
import { dot, line, type Place, picture, rectangle, tip, words } from "./svg.ts";

const width = 830;
const rowHeight = 52;
const boxHeight = 30;
const step = 44;
const margin = 14;
/** Pixels of a letter of the small text, at most. */
const letter = 6.3;

/** A room, by its index, that imports from another. */
interface Arrow {
  readonly from: number;
  readonly to: number;
}

/** Folders of the code, and the imports between them: those of a room lead left, then up. */
export function architecturePicture(): string {
  const arrows = arrowsBetween(order);
  const top = margin;
  const description = order
    .map(({ paths }, index) => {
      const targets = arrows.filter(({ from }) => from === index).map(({ to }) => order[to]?.paths.join(", "));
      return `${paths.join(", ")} ${targets.length === 0 ? "imports from no other" : `imports from ${targets.join("; ")}`}.`;
    })
    .join(" ");
  return picture(
    {
      title: "The folders of kubecamp and the imports between them",
      description,
      width,
      height: 2 * margin + order.length * rowHeight + 10,
    },
    [
      ...arrows.map((arrow) => line(...cornersOf(arrow))),
      ...order.flatMap((room, index) => boxOf(room, index)),
      ...arrows.flatMap((arrow) => endsOf(arrow)),
      words({ x: margin, y: top + order.length * rowHeight + 8 }, legend, "small"),
    ],
  );
}

const legend = "A dot: the folder on the right imports from the one above.";

function arrowsBetween(among: readonly Room[]): Arrow[] {
  const roomOf = (file: string) => among.findIndex((room) => isIn(file, room));
  const pairs = sourceFiles().flatMap((file) =>
    importsOf(file)
      .filter(({ isFile }) => isFile)
      .map(({ name }) => ({ from: roomOf(file), to: roomOf(name) }))
      .filter(({ from, to }) => from !== to),
  );
  return among.flatMap((_, from) =>
    among.flatMap((_, to) => (pairs.some((pair) => pair.from === from && pair.to === to) ? [{ from, to }] : [])),
  );
}

const leftOf = (index: number) => margin + index * step;
const topOf = (index: number) => margin + index * rowHeight;
/** Where arrows to a room come up. */
const shaftOf = (index: number) => leftOf(index) + step / 2;

/** Left, then up. */
function cornersOf({ from, to }: Arrow): [Place, Place, Place] {
  const y = topOf(from) + boxHeight / 2;
  const x = shaftOf(to);
  return [
    { x: leftOf(from), y },
    { x, y },
    { x, y: topOf(to) + boxHeight },
  ];
}

function endsOf(arrow: Arrow): string[] {
  const [, corner, end] = cornersOf(arrow);
  return [dot(corner), tip(end, "up")];
}

function boxOf(room: Room, index: number): string[] {
  const name = room.paths.join(", ");
  const boxWidth = Math.max(104, name.length * 7.4 + 20);
  const x = leftOf(index);
  const y = topOf(index);
  const right = x + boxWidth + 10;
  return [
    rectangle("box", { x, y, width: boxWidth, height: boxHeight }),
    words({ x: x + 10, y: y + 20 }, name, "name"),
    ...[room.holds, ...wrapped(inner(room), Math.floor((width - right) / letter))].map((text, row) =>
      words({ x: right, y: y + 12 + row * 15 }, text, row === 0 ? "plain" : "small"),
    ),
  ];
}

/** Folders of a room that have code: git leaves empty ones behind. */
function inner(room: Room): string[] {
  const parts = sourceFiles()
    .filter((file) => isIn(file, room))
    .map((file) => file.split("/"));
  return room.paths.length > 1
    ? []
    : [...new Set(parts.flatMap(([, folder = "", file]) => (file === undefined ? [] : folder)))];
}

/** Names in lines of at most so many letters. */
function wrapped(names: readonly string[], letters: number): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last === undefined || last.length + name.length + 2 > letters) {
      lines.push(name);
    } else {
      lines[lines.length - 1] = `${last}, ${name}`;
    }
  }
  return lines;
}
