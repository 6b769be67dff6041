import type { Files } from '#features/messaging/files/files.ts';
import type { Db } from '#kernel/db/db.ts';
import { wrongField } from '#kernel/error.ts';
import { DISPUTE_DOCUMENT_BYTES_MAX, DISPUTE_DOCUMENT_TYPES } from '#providers/issuing/port.ts';
import { type DisputeFile, nameFiles } from './store.ts';

export const EVIDENCE_MAX = 10;

/**
 * Names files of the caller as evidence, in this transaction. Throws VALIDATION_ERROR for one that is not theirs, has another
 * purpose, or is none that the network takes.
 */
export async function nameEvidence(
  files: Files,
  tx: Db,
  wanted: {
    readonly dispute_id: string;
    readonly stage: DisputeFile['stage'];
    readonly owner: number;
    readonly file_ids: readonly string[];
  },
): Promise<void> {
  const { dispute_id, stage, owner, file_ids } = wanted;
  for (const [n, file_id] of file_ids.entries()) {
    const field = `evidence[${n}]`;
    const file = await files.hold(tx, { user_id: owner }, file_id);
    if (file?.purpose !== 'dispute_evidence')
      throw wrongField(field, 'is no file of yours for the purpose dispute_evidence');
    if (!DISPUTE_DOCUMENT_TYPES.some((type) => type === file.content_type))
      throw wrongField(field, 'must be a PDF or a JPEG: card networks take no other document');
    if (file.size > DISPUTE_DOCUMENT_BYTES_MAX)
      throw wrongField(
        field,
        'must not be larger than 2 MB: card networks take no larger document',
      );
  }
  await nameFiles(tx, dispute_id, stage, [...new Set(file_ids)]);
}
