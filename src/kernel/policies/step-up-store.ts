import { type Db, run } from '../db/db.ts';

export type StepUpMethod = 'two_factor' | 'password' | 'passkey';

export interface NewStepUp {
  readonly challenge_id: string;
  readonly user_id: number;
  readonly content_hash: Buffer;
  readonly method: StepUpMethod;
  readonly proven_until: Date;
  /** What an authenticator has signed, and by which passkey. */
  readonly evidence?: object;
}

/** Keeps a proof; false where that challenge was proven before. */
export async function insertStepUp(tx: Db, proof: NewStepUp): Promise<boolean> {
  const { challenge_id, user_id, content_hash, method, proven_until, evidence } = proof;
  const rows = await run(
    tx,
    `insert into step_ups (challenge_id, user_id, content_hash, method, proven_until, evidence)
     values ($1, $2, $3, $4, $5, $6) on conflict (challenge_id) do nothing returning 1`,
    [
      challenge_id,
      user_id,
      content_hash,
      method,
      proven_until.toISOString(),
      evidence === undefined ? null : JSON.stringify(evidence),
    ],
  );
  return rows.length > 0;
}

/** Uses a proof of that user up, once and in time. */
export async function useStepUp(
  tx: Db,
  { challenge_id, user_id, now }: { challenge_id: string; user_id: number; now: Date },
): Promise<Buffer | undefined> {
  const [row] = await run<{ content_hash: Buffer }>(
    tx,
    `update step_ups set used_at = service_now()
      where challenge_id = $1 and user_id = $2 and used_at is null and proven_until > $3::timestamptz
     returning content_hash`,
    [challenge_id, user_id, now.toISOString()],
  );
  return row?.content_hash;
}

/** Proofs that have lapsed stay as evidence for as long as decisions do. */
export async function forgetStepUps(tx: Db, before: Date, limit: number): Promise<number> {
  const rows = await run(
    tx,
    `delete from step_ups where challenge_id = any (array(
       select challenge_id from step_ups where proven_until < $1::timestamptz
       order by proven_until limit $2)) returning 1`,
    [before.toISOString(), limit],
  );
  return rows.length;
}
