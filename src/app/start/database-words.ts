import { isDatabaseUnavailable, sqlState } from '#kernel/db/sql-errors.ts';

/** What PostgreSQL refuses at the door, by its five-character codes. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'refuses that user or password',
  '28000': 'refuses that user',
  '3D000': 'has no database of that name; make it with createdb',
};

/** An error of connecting to the database that `name` leads to, in words for the operator; else itself. */
export function databaseError(
  url: string | undefined,
  error: unknown,
  name = 'DATABASE_URL',
): unknown {
  if (url === undefined || !(error instanceof Error)) return error;
  const refusal = REFUSALS[sqlState(error) ?? ''];
  if (refusal)
    return new Error(`${name}: the PostgreSQL at ${placeOf(url)} ${refusal}`, {
      cause: error,
    });
  if (!isDatabaseUnavailable(error)) return error;
  const said = (error as { code?: string }).code ?? error.message;
  return new Error(`${name}: nobody answers at ${placeOf(url)} (${said})`, { cause: error });
}

/** Where it is, without who may enter. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'that address';
  const { hostname, port, searchParams } = new URL(url);
  return `${hostname || searchParams.get('host') || 'localhost'}:${port || 5432}`;
}
