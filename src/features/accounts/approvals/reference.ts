import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const APPROVALS_WORDS: FeatureWords = {
  tags: {
    approvals: {
      group: 'Operations',
      text: 'What policies make wait for other people. Its money is held since it was made; rejected or expired after 72 hours it is cancelled.',
    },
  },
  meanings: {
    approval_id: 'Of something that waits for other people',
    content_hash: 'Of what is approved: another content has another one',
  },
  descriptions: {
    'approvals.list': 'Admins see what their client’s users made, the operator all of it.',
    'approvals.approve':
      'By an admin who did not make it, does not own what receives the money, and whose account is older than the request. Each counts once.',
    'approvals.reject': 'One rejection is enough, by the same people who may approve.',
  },
  places: {
    'Approval.summary': 'Payout of 2,500.00 USD to Acme Ltd',
    'Approval.content_hash': '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'ApprovalObject.type': 'withdrawal',
    'ApprovalObject.id': 'wdr_06ek6vsakdxgrs79n9fntnb8t0',
    'ApprovalDecision.content_hash':
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'ApprovalDecision.note': 'Checked against the invoice',
  },
  origins: [
    [/^approvals\.\w+\.approval_id$/, 'approvals.list'],
    [/^approvals\.\w+\.content_hash$/, 'approvals.get'],
  ],
};
