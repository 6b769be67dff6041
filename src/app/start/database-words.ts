import { isDatabaseUnavailable, sqlState } from '#kernel/db/sql-errors.ts';

/** PostgreSQL's refusals of a connection, by their five-character codes. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'refuses that user or password',
  '28000': 'refuses that user',
  '3D000': 'has no database of that name; make it with createdb',
};

/** A connection error of the database in setting `name`, in words for the operator; any other error unchanged. */
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
  return new Error(`${name}: nothing answers at ${placeOf(url)} (${said})`, { cause: error });
}

/** Its address, without credentials. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'that address';
  const { hostname, port, searchParams } = new URL(url);
  return `${hostname || searchParams.get('host') || 'localhost'}:${port || 5432}`;
}
