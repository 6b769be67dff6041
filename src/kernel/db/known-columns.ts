import pg from 'pg';

/** What the driver makes of the server's description of an answer. */
interface Columns {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly _parsers: unknown;
  readonly _prebuiltEmptyResultObject: object | null;
}
type Known = Map<string, Columns>;

/** What the driver's own query offers beyond its types. */
interface DriverQuery {
  name: string | undefined;
  values: readonly unknown[] | undefined;
  readonly _result: Columns;
  _accumulateRows: boolean;
  hasBeenParsed(connection: Wire): boolean;
  submit(connection: Wire): Error | null;
  prepare(connection: Wire): void;
  handleRowDescription(message: object): void;
  _getRows(connection: Wire): void;
}
interface Wire {
  bind(portal: object): void;
}
const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  heard: (error: Error | null, result: pg.QueryResult) => void,
) => DriverQuery;
/** A value as the driver itself writes it. */
export const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(value: unknown): unknown } }
).utils;

/** Of each connection that keeps them, by the names of its statements. */
const kept = new WeakMap<object, Known>();
/** The last of each name: all connections of a process are told the same, and need not keep it each. */
const latest: Known = new Map();

/**
 * Has a connection keep what its prepared statements answer. Only where the server's session is always the
 * same: that fails a statement whose answer has come to look otherwise since it was prepared, and another
 * one, which a pooler may hand out, would have prepared it anew.
 */
export function keepColumns(client: pg.ClientBase): void {
  kept.set((client as unknown as { connection: object }).connection, new Map());
}

/**
 * The driver's query, but that it has an answer described only once for each statement of a connection.
 * Having it done each time, and making the same of it, cost more than reading the rows of a short answer.
 */
export class KnownQuery extends Query {
  #learning: Known | undefined;

  /** A value that has no text fails it before anything is sent: the driver would have its statement forgotten by then. */
  override submit(connection: Wire): Error | null {
    try {
      this.values = this.values?.map((value) => prepareValue(value));
    } catch (error) {
      return error as Error;
    }
    return super.submit(connection);
  }

  override prepare(connection: Wire): void {
    const known = kept.get(connection);
    const columns = this.name && known?.get(this.name);
    if (!columns || !this.hasBeenParsed(connection)) {
      this.#learning = known;
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    connection.bind({ portal: '', statement: this.name, values: this.values });
    this._getRows(connection);
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message);
    if (this.name) this.#learning?.set(this.name, sharedOf(this.name, this._result));
  }
}

function sharedOf(name: string, result: Columns): Columns {
  const before = latest.get(name);
  if (before && isSame(before, result)) return before;
  const { fields, _parsers, _prebuiltEmptyResultObject } = result;
  const columns = { fields, _parsers, _prebuiltEmptyResultObject };
  latest.set(name, columns);
  return columns;
}

const isSame = ({ fields: a }: Columns, { fields: b }: Columns): boolean =>
  a.length === b.length &&
  a.every((one, i) => one.name === b[i]?.name && one.dataTypeID === b[i]?.dataTypeID);
