import { type BaseTable, TENANCY, type Tenancy } from '#src/app/tenancy.ts';

/**
 * SQL of the client that owns a row, by the registry of tables; undefined for tables whose rows belong to none or
 * lead to one by a text only. Null where the row is the house's. `row` is the table's alias in the statement.
 */
export const clientOfRow = (table: BaseTable, row: string): string | undefined =>
  clientBy(TENANCY[table], row);

function clientBy(owner: Tenancy, row: string): string | undefined {
  switch (owner.by) {
    case 'client':
      return `${row}.client_id`;
    case 'owner':
      return `(select u.client_id from users u where u.user_id = ledger.user_of(${row}.owner))`;
    case 'either':
      return `coalesce(${owner.ways.map((way) => clientBy(way, row)).join(', ')})`;
    case 'path': {
      const { table, key, column } = owner;
      const above = `${row}_`;
      const client = clientOfRow(table, above);
      return (
        client &&
        `(select max(${client}) from ${table} ${above} where ${above}.${key} = ${row}.${column})`
      );
    }
    default:
      return undefined;
  }
}

/**
 * SQL of the condition that a row is the client's, for reading all of a client's rows of a table; undefined as for
 * `clientOfRow`. `client` is the parameter with the client's id.
 */
export const isOfClient = (table: BaseTable, row: string, client: string): string | undefined =>
  isBy(TENANCY[table], row, client);

function isBy(owner: Tenancy, row: string, client: string): string | undefined {
  switch (owner.by) {
    case 'client':
      return `${row}.client_id = ${client}`;
    case 'owner':
      return `${row}.owner in (select 'user:' || u.user_id from users u where u.client_id = ${client})`;
    case 'either': {
      const ways = owner.ways.flatMap((way) => isBy(way, row, client) ?? []);
      return `(${ways.join(' or ')})`;
    }
    case 'path': {
      const { table, key, column } = owner;
      const above = `${row}_`;
      const condition = isOfClient(table, above, client);
      return (
        condition &&
        `${row}.${column} in (select ${above}.${key} from ${table} ${above} where ${condition})`
      );
    }
    default:
      return undefined;
  }
}
