import type { Selectable } from 'kysely';
import { type Db, run } from '#kernel/db/db.ts';
import type { Effects as EffectTable } from '#kernel/db/schema.generated.ts';

/** An effect as it is in the database. */
export type EffectRow = Omit<Selectable<EffectTable>, 'state' | 'steps'> & {
  readonly state: 'OPEN' | 'SETTLED' | 'REFUSED';
  readonly steps: readonly Step[];
};

/** Something that was done or heard. */
export interface Step {
  readonly at: string;
  readonly step: 'begin' | 'call' | 'look-up' | 'settle' | 'refuse' | 'stall';
  readonly outcome?: string;
  readonly note?: string;
}

export interface EffectKey {
  readonly kind: string;
  readonly id: string;
}

export interface Lease {
  readonly attempt: string;
  readonly owner: string | undefined;
  readonly until: Date;
}

/** Keeps the first ten and the latest forty. */
const KEPT = '(case when jsonb_array_length(e.steps) >= 50 then e.steps - 10 else e.steps end)';

/**
 * Opens them, or opens anew what has ended and may be. Answers those that did not stand already.
 * `calls` counts the call that whoever begins it is about to make.
 */
export async function insertEffects(
  tx: Db,
  { kind, ids }: { readonly kind: string; readonly ids: readonly string[] },
  given: {
    readonly at: Date;
    readonly calls: number;
    readonly reopens: boolean;
    readonly lease: Lease | undefined;
  },
): Promise<string[]> {
  const { at, calls, reopens, lease } = given;
  const rows = await run<{ id: string }>(
    tx,
    `insert into effects as e
       (kind, id, opened_at, calls, attempt, attempt_owner, attempt_until, steps)
     select $1, id, $3, $4, $5, $6, $7, $8::jsonb from unnest($2::text[]) as id
     on conflict (kind, id) do update
     set state = 'OPEN', opened_at = excluded.opened_at, ended_at = null, calls = excluded.calls,
         look_ups = 0, attempt = excluded.attempt, attempt_owner = excluded.attempt_owner,
         attempt_until = excluded.attempt_until, code = null, message = null,
         steps = excluded.steps
     where $9 and e.state <> 'OPEN'
     returning e.id`,
    [
      kind,
      ids,
      at.toISOString(),
      calls,
      lease?.attempt ?? null,
      lease?.owner ?? null,
      lease?.until.toISOString() ?? null,
      JSON.stringify([{ at: at.toISOString(), step: 'begin' }]),
      reopens,
    ],
  );
  return rows.map(({ id }) => id);
}

export async function findEffect(db: Db, { kind, id }: EffectKey): Promise<EffectRow | undefined> {
  const [row] = await run<EffectRow>(db, 'select * from effects where kind = $1 and id = $2', [
    kind,
    id,
  ]);
  return row;
}

/** Takes the lease where it is free, has run out, or is the same owner's. */
export async function takeLease(
  db: Db,
  { kind, id }: EffectKey,
  { attempt, owner, until }: Lease,
  at: Date,
): Promise<EffectRow | undefined> {
  const [row] = await run<EffectRow>(
    db,
    `update effects set attempt = $3, attempt_owner = $4, attempt_until = $5
     where kind = $1 and id = $2 and state = 'OPEN'
       and (attempt is null or attempt_until <= $6::timestamptz or attempt_owner = $4)
     returning *`,
    [kind, id, attempt, owner ?? null, until.toISOString(), at.toISOString()],
  );
  return row;
}

/** Whether it is open, and this attempt's where there is a lease; if so, until the transaction ends. */
export async function lockAttempt(
  tx: Db,
  { kind, id }: EffectKey,
  attempt: string | undefined,
): Promise<boolean> {
  const rows = await run(
    tx,
    `select id from effects
     where kind = $1 and id = $2 and state = 'OPEN' and ($3::uuid is null or attempt = $3)
     for share`,
    [kind, id, attempt ?? null],
  );
  return rows.length === 1;
}

/**
 * Counts a call that is about to be made. False where it is not open, or not this attempt's, or where
 * it is to be the first and somebody else has made that.
 */
export async function countCall(
  db: Db,
  { kind, id }: EffectKey,
  { attempt, isFirst }: { readonly attempt: string | undefined; readonly isFirst: boolean },
): Promise<boolean> {
  const rows = await run(
    db,
    `update effects set calls = calls + 1
     where kind = $1 and id = $2 and state = 'OPEN' and ($3::uuid is null or attempt = $3)
       and (calls = 0 or not $4)
     returning id`,
    [kind, id, attempt ?? null, isFirst],
  );
  return rows.length === 1;
}

/** Writes down what was heard and sets the lease free; the effect stays open. */
export async function noteStep(
  db: Db,
  { kind, id }: EffectKey,
  attempt: string | undefined,
  steps: readonly Step[],
): Promise<void> {
  await run(
    db,
    `update effects e
     set steps = ${KEPT} || $4::jsonb,
         look_ups = look_ups + $5,
         attempt = case when attempt = $3 then null else attempt end,
         attempt_owner = case when attempt = $3 then null else attempt_owner end,
         attempt_until = case when attempt = $3 then null else attempt_until end
     where kind = $1 and id = $2 and state = 'OPEN'`,
    [kind, id, attempt ?? null, JSON.stringify(steps), countLooks(steps)],
  );
}

const countLooks = (steps: readonly Step[]): number =>
  steps.filter(({ step }) => step === 'look-up').length;

export interface End extends EffectKey {
  readonly steps: readonly Step[];
  /** Only this attempt may end it. */
  readonly attempt?: string | undefined;
  readonly why?: { readonly code: string; readonly message: string };
}

/** Ends those that are open, in the order of their ids; answers which. */
export async function endEffects(
  tx: Db,
  state: 'SETTLED' | 'REFUSED',
  ends: readonly End[],
  at: Date,
): Promise<string[]> {
  const [first] = ends;
  if (first === undefined) return [];
  const rows = await run<{ id: string }>(
    tx,
    `update effects e
     set state = $1, ended_at = $2, code = n.code, message = n.message,
         steps = ${KEPT} || n.steps, look_ups = e.look_ups + n.look_ups,
         attempt = null, attempt_owner = null, attempt_until = null, stalled_at = null
     from jsonb_to_recordset($4::jsonb)
       as n (id text, attempt uuid, code text, message text, steps jsonb, look_ups integer),
       (select id from effects where kind = $3 and id = any($5::text[]) and state = 'OPEN'
        order by id for no key update) locked
     where e.kind = $3 and e.id = n.id and e.id = locked.id and e.state = 'OPEN'
       and (n.attempt is null or e.attempt = n.attempt)
     returning e.id`,
    [
      state,
      at.toISOString(),
      first.kind,
      JSON.stringify(
        ends.map(({ id, attempt, why, steps }) => ({
          id,
          attempt: attempt ?? null,
          code: why?.code.slice(0, 60) ?? null,
          message: why?.message.slice(0, 300) ?? null,
          steps,
          look_ups: countLooks(steps),
        })),
      ),
      ends.map(({ id }) => id),
    ],
  );
  return rows.map(({ id }) => id);
}

/** A person has to look; nobody drives it meanwhile. */
export async function stallEffect(db: Db, { kind, id }: EffectKey, step: Step): Promise<void> {
  await run(
    db,
    `update effects e set stalled_at = $3, steps = ${KEPT} || $4::jsonb
     where kind = $1 and id = $2 and state = 'OPEN' and stalled_at is null`,
    [kind, id, step.at, JSON.stringify([step])],
  );
}

/** False when it is not open. */
export async function unstallEffect(tx: Db, { kind, id }: EffectKey): Promise<boolean> {
  const rows = await run(
    tx,
    `update effects set stalled_at = null where kind = $1 and id = $2 and state = 'OPEN' returning id`,
    [kind, id],
  );
  return rows.length === 1;
}

/** Open ones that nobody would drive: there are none unless something went wrong, or after an upgrade. */
export async function forgottenEffects(
  tx: Db,
  kinds: readonly string[],
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<EffectKey[]> {
  return run(
    tx,
    `select kind, id from effects e
     where state = 'OPEN' and stalled_at is null and kind = any($1::text[]) and opened_at < $2
       and not exists (
         select from pgboss.job j
         where j.name in ('effect.' || e.kind, 'effect.' || e.kind || '.exhausted')
           and j.singleton_key = e.id and j.state < 'completed')
     order by opened_at limit $3 for no key update skip locked`,
    [kinds, before.toISOString(), limit],
  );
}

export interface OpenEffects {
  readonly kind: string;
  readonly open: number;
  readonly stalled: number;
  /** How long the oldest has been open, in seconds of service time. */
  readonly oldest_s: number;
}

/** What is in doubt, by kind. */
export const openEffects = (db: Db, at: Date): Promise<OpenEffects[]> =>
  run(
    db,
    `select kind, count(*)::integer as open, count(stalled_at)::integer as stalled,
       greatest(extract(epoch from $1::timestamptz - min(opened_at)), 0)::float8 as oldest_s
     from effects where state = 'OPEN' group by kind order by kind`,
    [at.toISOString()],
  );

/** Forgets a batch of what ended before; answers how many. */
export async function forgetEnded(db: Db, before: Date, limit: number): Promise<number> {
  const rows = await run(
    db,
    `delete from effects where (kind, id) in (
       select kind, id from effects where state <> 'OPEN' and ended_at < $1
       order by ended_at limit $2 for update skip locked)
     returning id`,
    [before.toISOString(), limit],
  );
  return rows.length;
}
