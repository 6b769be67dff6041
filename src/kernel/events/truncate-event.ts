/** The most that one delivery of a webhook or one write of a stream carries. */
const DATA_MAX = 64 * 1024;

/**
 * As JSON of up to 64 KiB: a larger object loses its largest fields, and `omitted` names them.
 */
export function truncateEvent(data: object): string {
  const whole = JSON.stringify(data);
  // Three bytes a character at the most.
  if (whole.length * 3 <= DATA_MAX || Buffer.byteLength(whole) <= DATA_MAX) return whole;
  const sizes = Object.entries(data)
    .map(([name, value]) => ({ name, size: Buffer.byteLength(JSON.stringify(value) ?? '') }))
    .sort((a, b) => b.size - a.size);
  const kept: Record<string, unknown> = { ...data };
  const omitted: string[] = [];
  for (const { name } of sizes) {
    delete kept[name];
    omitted.push(name);
    const text = JSON.stringify({ ...kept, omitted });
    if (Buffer.byteLength(text) <= DATA_MAX) return text;
  }
  return JSON.stringify({ omitted });
}
