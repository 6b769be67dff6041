import { verifyAudit } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { ok, type RestoreFindings, wrong } from './finding.ts';

/** Whether what people did is as it was written, by its seals. */
export async function checkAudit(db: Db, vault: Vault): Promise<RestoreFindings[]> {
  const { lines, seals, unsealed, broken } = await verifyAudit(db, { vault });
  const read = `${lines} lines under ${seals} seals, ${unsealed} not sealed yet`;
  if (broken.length === 0) return [ok(`${read}: all as they were written`)];
  return [
    wrong(
      `${read}: not as they were written`,
      broken.map((fault) => ({ fault })),
    ),
  ];
}
