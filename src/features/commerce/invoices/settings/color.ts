/** WCAG 2.2: what text needs to be read on its ground. */
const READABLE = 4.5;

/** Whether white text can be read on the colour, such as `#0b6e4f`. */
export const carriesWhiteText = (color: string): boolean =>
  1.05 / (luminanceOf(color) + 0.05) >= READABLE;

/** WCAG 2.2, relative luminance. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const linear = (share: number): number =>
  share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
