/** Bodies of about that many bytes, each slow in its own way to parse or to walk through. */
export const hostileBodies = (bytes: number): readonly string[] => [
  `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  `{"constructor":1,"b":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`,
  '['.repeat(bytes),
  `{${filled(bytes, (n) => `"${n.toString(36)}":1`)}}`,
  `[${filled(bytes, (n) => `{"${n.toString(36)}":1}`)}]`,
  `{"a":${'1'.repeat(bytes)}}`,
];

function filled(bytes: number, make: (n: number) => string): string {
  const parts: string[] = [];
  let length = 0;
  for (let n = 0; length < bytes; n += 1) {
    const part = make(n);
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join();
}
