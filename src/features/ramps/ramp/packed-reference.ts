/**
 * A flow's id as a name that bank messages take, 35 characters at the most: two letters and the digits of its UUID.
 */
export const packedReference = (prefix: string, uuid: string): string =>
  `${prefix}-${uuid.replaceAll('-', '')}`;

/** The UUID in such a name; undefined where it is none, or has another prefix. */
export function unpackedReference(prefix: string, reference: string): string | undefined {
  const [, digits] = new RegExp(`^${prefix}-([0-9a-f]{32})$`).exec(reference) ?? [];
  return digits?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
