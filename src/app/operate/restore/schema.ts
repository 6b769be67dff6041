import { type Db, run } from '#kernel/db/db.ts';
import { type Migration, planMigrations, readMigrations } from '#kernel/db/migrate.ts';
import { counted, noteFinding, ok, type RestoreFindings, wrong } from './finding.ts';

/** Whether the schema is that of this version: what it lacks, and nothing that this version does not know. */
export async function checkMigrations(url: string): Promise<RestoreFindings[]> {
  const all = await readMigrations();
  const lacking = await planMigrations(url).catch((error: Error) => error);
  if (lacking instanceof Error) return [wrong(lacking.message)];
  if (lacking.length === all.length)
    return [wrong('There is no schema: nothing was restored here')];
  if (lacking.length > 0)
    return [
      wrong(
        `It is older than this version and lacks ${lacking.join(', ')}: bring the copy up to date ` +
          '(`npm run migrate` with its address), or check it with the version that it is of',
      ),
    ];
  return [ok(`${counted(all.length, 'migration')}, as this version has them`)];
}

/** The triggers that are left once all migrations were applied, each as `table.trigger`. */
export function expectedTriggers(migrations: readonly Pick<Migration, 'text'>[]): Set<string> {
  const expected = new Set<string>();
  for (const { text } of migrations)
    for (const [, made, name = '', on = ''] of text.matchAll(TRIGGERS)) {
      const trigger = `${on}.${name}`;
      if (made) expected.add(trigger);
      else expected.delete(trigger);
    }
  return expected;
}

const TRIGGERS =
  /^\s*(?:(create)|drop)\s+(?:or replace\s+|constraint\s+)*trigger\s+(?:if exists\s+)?(\w+)\s[^;]*?\bon\s+([\w.]+)/gim;

/** What guards the rows: triggers that refuse, keys, references in force, indexes that are whole. */
export async function checkGuards(db: Db): Promise<RestoreFindings[]> {
  const expected = expectedTriggers(await readMigrations());
  const there = await run<{ trigger: string; on: boolean }>(db, TRIGGERS_THERE, []);
  const on = new Set(there.filter((one) => one.on).map(({ trigger }) => trigger));
  const missing = [...expected].filter((trigger) => !on.has(trigger));
  const faults = [
    ...missing.map((trigger) => `the trigger ${trigger} is missing or turned off`),
    ...(await run<{ fault: string }>(db, FAULTS, [])).map(({ fault }) => fault),
  ];
  if (faults.length > 0)
    return [
      wrong(
        'What keeps rows as they are is not whole',
        faults.map((fault) => ({ fault })),
      ),
    ];
  return [ok(`${expected.size} triggers stand guard, and every table has its key`)];
}

/** Named as migrations name them: without the schema where that is `public`. */
const TRIGGERS_THERE = `
  select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname || '.' || t.tgname as trigger,
    t.tgenabled in ('O', 'A') as on
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where not t.tgisinternal`;

const OURS = `n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'pgboss')`;

/** Lines that are never looked up one by one. */
const KEYLESS = 'login_failures';

const FAULTS = `
  select format('%s has no primary key', c.oid::regclass) as fault
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and ${OURS} and c.relname <> '${KEYLESS}'
    and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
  union all
  select format('the index %s is not whole', indexrelid::regclass)
  from pg_index where not indisvalid
  union all
  select format('%s of %s is not in force', conname, conrelid::regclass)
  from pg_constraint k
  where contype = 'f' and exists (
    select from pg_trigger t where t.tgconstraint = k.oid and t.tgenabled not in ('O', 'A'))`;

interface Owned {
  readonly owner: string;
  readonly tables: number;
  readonly superuser: boolean;
  readonly mine: boolean;
}

/** Whose the tables are, and who else may write where only `ledger.post` and `emit` may. */
export async function checkRoles(db: Db): Promise<RestoreFindings[]> {
  const owners = await run<Owned>(db, OWNERS, []);
  const grants = await run<{ fault: string }>(db, GRANTS, []);
  const found: RestoreFindings[] = [];
  if (grants.length > 0) found.push(wrong('Others than the owner may write the books', grants));
  if (owners.length > 1) found.push(wrong('The tables belong to several roles', owners));
  if (owners.some(({ mine }) => !mine))
    found.push(wrong('The role of this address does not own the tables', owners));
  if (found.length > 0) return found;
  const [{ owner = '', superuser = false } = {}] = owners;
  if (superuser)
    return [
      noteFinding(`The tables belong to ${owner}, a superuser: give the service a role of its own`),
    ];
  return [ok(`The tables belong to ${owner}, and no other role may write the books`)];
}

const OWNERS = `
  select r.rolname as owner, count(*)::integer as tables, r.rolsuper as superuser,
    pg_has_role(r.oid, 'usage') as mine
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_roles r on r.oid = c.relowner
  where c.relkind in ('r', 'p') and ${OURS}
  group by 1, 3, 4 order by 2 desc`;

const GRANTS = `
  select format('%s may %s %s', case a.grantee when 0 then 'everybody' else a.grantee::regrole::text end,
    lower(a.privilege_type), what) as fault
  from (
    select c.oid::regclass::text as what, c.relacl as acl, c.relowner as owner
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('ledger', 'events') and c.relkind in ('r', 'p')
    union all
    select p.oid::regprocedure::text, coalesce(p.proacl, acldefault('f', p.proowner)), p.proowner
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'ledger' and p.prosecdef) o, aclexplode(acl) a
  where a.grantee <> owner and a.privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'EXECUTE')`;
