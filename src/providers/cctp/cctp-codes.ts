import { codeTable } from '../code-table.ts';

/** Of an attestation: what is not complete is asked for again. */
export const ATTESTATIONS = codeTable<'done' | 'wait'>({
  source: 'https://developers.circle.com/cctp/howtos/resolve-stuck-attestation',
  read: '2026-11-27',
  meanings: { complete: 'done', pending_confirmations: 'wait' },
});
