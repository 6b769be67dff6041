import pg from 'pg';
import { mustNeedOneConnection } from '../one-connection.ts';
import { productStatements } from '../statements.ts';
import { reasonFor } from './allowed.ts';
import { faultsOf, type Plan } from './judge.ts';
import { largeDatabase } from './large.ts';
import { isSmall } from './small.ts';

/** Texts that this process has planned already. */
const planned = new Set<string>();
const PLANNED = /^\s*(select|insert|update|delete|with|merge)\b/i;
/** Statements of a migration, which no request runs. */
const SEVERAL = /;\s*\S/;
/** A table, column, schema or function that a test has made for itself, or that only the test may use. */
const UNKNOWN = ['42P01', '42703', '3F000', '42883', '42501'];

export interface Found {
  readonly text: string;
  readonly fault: string;
}

/**
 * At the end of a service: fails where a statement that it has run would cost more with each row that
 * history adds, by the plan that a database of a million rows in each table makes for it.
 */
export async function checkPlans(): Promise<void> {
  mustNeedOneConnection();
  const texts = [...productStatements].filter((text) => !planned.has(text));
  for (const text of texts) planned.add(text);
  const faults = await growing(texts);
  if (faults.length === 0) return;
  throw new Error(`Would cost more with each row of history:\n${faults.join('\n')}`);
}

/** `fault: statement` for the statements with growing cost and no allowed reason. */
export async function growing(texts: readonly string[]): Promise<string[]> {
  const found = await faultsIn(texts);
  return found
    .filter((each) => reasonFor(each) === undefined)
    .map(({ fault, text }) => `${fault}: ${text}`);
}

/** The growing parts of these statements, allowed or not. */
export async function faultsIn(texts: readonly string[]): Promise<Found[]> {
  const known = texts.filter((text) => PLANNED.test(text) && !SEVERAL.test(text));
  if (known.length === 0) return [];
  planner ??= openPlanner();
  const client = await planner;
  const found: Found[] = [];
  for (const text of known)
    for (const fault of new Set(await faultsOfText(client, text))) found.push({ text, fault });
  return found;
}

/** One session for as long as this process: a new one would read the whole catalogue again each time. */
let planner: Promise<pg.Client> | undefined;

async function openPlanner(): Promise<pg.Client> {
  const client: pg.Client & { unref?(): void } = new pg.Client({
    connectionString: await largeDatabase(isSmall),
  });
  // It ends with the server; later queries then fail by themselves.
  client.on('error', () => {
    planner = undefined;
  });
  await client.connect();
  client.unref?.();
  return client;
}

async function faultsOfText(client: pg.Client, text: string): Promise<string[]> {
  const offset = /\boffset\b/i.test(text) ? ['passes over rows by OFFSET'] : [];
  try {
    const { rows } = await client.query(
      `explain (generic_plan, verbose, format json) ${withPage(text)}`,
    );
    return [...offset, ...faultsOf(rows[0]['QUERY PLAN'][0].Plan as Plan, isSmall)];
  } catch (error) {
    if (UNKNOWN.includes(Reflect.get(error as object, 'code'))) return [];
    return [`cannot be planned (${String(error)})`];
  }
}

/** The planner assumes a tenth of all rows for an unknown limit; ours are pages. */
const withPage = (text: string) =>
  text.replace(/\blimit (\$\d+)/gi, 'limit case when true then 101 else $1::bigint end');
