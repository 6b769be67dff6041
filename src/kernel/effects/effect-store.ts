import type { Selectable } from 'kysely';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Effects as EffectTable } from '#kernel/db/schema.generated.ts';
import { textOf } from '../jobs/text-of.ts';

/** An effect as it is in the database. */
export type EffectRow = Omit<Selectable<EffectTable>, 'state' | 'steps'> & {
  readonly state: 'OPEN' | 'SETTLED' | 'REFUSED';
  readonly steps: readonly Step[];
};

/** A call, a look-up, or what they answered. */
export interface Step {
  readonly at: string;
  readonly step: 'begin' | 'call' | 'look-up' | 'fail' | 'stall';
  readonly outcome?: string;
  readonly note?: string;
}

export interface EffectKey {
  readonly kind: string;
  readonly id: string;
}

/** One time that it was opened. What is meant for an earlier one must not end a later one. */
export interface NewEffect extends EffectKey {
  readonly openedAt: string;
}

export interface Lease {
  readonly attempt: string;
  readonly owner: string | undefined;
  readonly until: Date;
}

const NOTE_MAX = 300;

/** The steps with those added: the first ten and the latest forty of all. */
const withSteps = (added: string): string => `
  case when jsonb_array_length(e.steps) + jsonb_array_length(${added}) <= 50
    then e.steps || ${added}
    else (select jsonb_agg(step order by nth)
          from (select step, nth, count(*) over () as steps
                from jsonb_array_elements(e.steps || ${added}) with ordinality s (step, nth)) s
          where nth <= 10 or nth > steps - 40) end`;

const plain = (steps: readonly Step[]): Step[] =>
  steps.map((step) =>
    step.note === undefined ? step : { ...step, note: textOf(step.note, NOTE_MAX) },
  );

const stepsOf = (steps: readonly Step[]): string => JSON.stringify(plain(steps));

/** The row is read to the millisecond, and may have been written more exactly. */
const isOpening = (nth: string): string =>
  `date_trunc('milliseconds', opened_at) = ${nth}::timestamptz`;

/**
 * Opens them; opens again those that have ended and may be repeated. Answers those that did not stand already, and
 * when, which is another time than the last. `calls` counts the call that the caller is about to make.
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
): Promise<Map<string, Date>> {
  const { at, calls, reopens, lease } = given;
  const rows = await run<Row<'effects', 'id' | 'opened_at'>>(
    tx,
    `insert into effects as e
       (kind, id, opened_at, calls, called_at, attempt, attempt_owner, attempt_until, steps)
     select $1, id, $3, $4, case when $4 > 0 then $3::timestamptz end, $5, $6, $7, $8::jsonb
     from unnest($2::text[]) as id
     on conflict (kind, id) do update
     set state = 'OPEN', ended_at = null, calls = excluded.calls, look_ups = 0,
         called_at = excluded.called_at,
         opened_at = greatest(excluded.opened_at, e.opened_at + interval '1 millisecond'),
         attempt = excluded.attempt, attempt_owner = excluded.attempt_owner,
         attempt_until = excluded.attempt_until, code = null, message = null,
         steps = excluded.steps
     where $9 and e.state <> 'OPEN'
     returning e.id, e.opened_at`,
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
  return new Map(rows.map(({ id, opened_at }) => [id, new Date(opened_at)]));
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
  { kind, id, openedAt }: NewEffect,
  attempt: string | undefined,
): Promise<boolean> {
  const rows = await run(
    tx,
    `select id from effects
     where kind = $1 and id = $2 and state = 'OPEN' and ${isOpening('$4')}
       and ($3::uuid is null or attempt = $3)
     for share`,
    [kind, id, attempt ?? null, openedAt],
  );
  return rows.length === 1;
}

/**
 * Counts a call that is about to be made. False where it is not open, or not this attempt's, or where
 * it is to be the first and another attempt has made that.
 */
export async function countCall(
  db: Db,
  { kind, id, openedAt }: NewEffect,
  by: { readonly attempt: string | undefined; readonly isFirst: boolean; readonly at: Date },
): Promise<boolean> {
  const { attempt, isFirst, at } = by;
  const rows = await run(
    db,
    `update effects set calls = calls + 1, called_at = $6
     where kind = $1 and id = $2 and state = 'OPEN' and ${isOpening('$5')}
       and ($3::uuid is null or attempt = $3) and (calls = 0 or not $4)
     returning id`,
    [kind, id, attempt ?? null, isFirst, openedAt, at.toISOString()],
  );
  return rows.length === 1;
}

/** Records the steps, also of an effect that has ended, and releases the lease. Ends nothing. */
export async function recordSteps(
  db: Db,
  { kind, id, openedAt }: NewEffect,
  attempt: string | undefined,
  steps: readonly Step[],
): Promise<void> {
  await run(
    db,
    `update effects e
     set steps = ${withSteps('$4::jsonb')},
         look_ups = look_ups + $5,
         attempt = case when attempt = $3 then null else attempt end,
         attempt_owner = case when attempt = $3 then null else attempt_owner end,
         attempt_until = case when attempt = $3 then null else attempt_until end
     where kind = $1 and id = $2 and ${isOpening('$6')}`,
    [kind, id, attempt ?? null, stepsOf(steps), countLooks(steps), openedAt],
  );
}

const countLooks = (steps: readonly Step[]): number =>
  steps.filter(({ step }) => step === 'look-up').length;

export interface End extends NewEffect {
  readonly steps: readonly Step[];
  /** Only this attempt may end it. */
  readonly attempt?: string | undefined;
  /** It ends only where its last call was counted no later; the row says that when it is ended. */
  readonly calledBefore?: Date | undefined;
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
         steps = ${withSteps('n.steps')}, look_ups = e.look_ups + n.look_ups,
         attempt = null, attempt_owner = null, attempt_until = null, stalled_at = null
     from jsonb_to_recordset($4::jsonb)
       as n (id text, opened timestamptz, attempt uuid, called_before timestamptz, code text, message text,
               steps jsonb, look_ups integer),
       (select id from effects where kind = $3 and id = any($5::text[]) and state = 'OPEN'
        order by id for no key update) locked
     where e.kind = $3 and e.id = n.id and e.id = locked.id and e.state = 'OPEN'
       and ${isOpening('n.opened')}
       and (n.attempt is null or e.attempt = n.attempt)
       and (n.called_before is null or coalesce(e.called_at, e.opened_at) <= n.called_before)
     returning e.id`,
    [
      state,
      at.toISOString(),
      first.kind,
      JSON.stringify(
        ends.map(({ id, openedAt, attempt, calledBefore, why, steps }) => ({
          id,
          opened: openedAt,
          attempt: attempt ?? null,
          called_before: calledBefore?.toISOString() ?? null,
          code: why ? textOf(why.code, 60) || 'REFUSED' : null,
          message: why ? textOf(why.message, 300) : null,
          steps: plain(steps),
          look_ups: countLooks(steps),
        })),
      ),
      ends.map(({ id }) => id),
    ],
  );
  return rows.map(({ id }) => id);
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
