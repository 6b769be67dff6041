/** All rows of a list, page by page until one is not full. `rows` are those so far. */
export async function allPages(
  limit: number,
  read: (rows: readonly unknown[]) => Promise<unknown[]>,
): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (;;) {
    const page = await read(rows);
    rows.push(...page);
    if (page.length < limit) return rows;
  }
}
