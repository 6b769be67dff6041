import { codeTable } from '../code-table.ts';

/** Kinds of errors that end by themselves: the same call may succeed later. All others are refusals. */
export const PLAID_ERROR_TYPES = codeTable<'wait' | 'refused'>({
  source: 'https://plaid.com/docs/errors/ (error_type)',
  read: null,
  meanings: {
    RATE_LIMIT_EXCEEDED: 'wait',
    API_ERROR: 'wait',
    // The bank is away: INSTITUTION_DOWN, INSTITUTION_NOT_RESPONDING.
    INSTITUTION_ERROR: 'wait',
    INVALID_REQUEST: 'refused',
    INVALID_INPUT: 'refused',
    INVALID_RESULT: 'refused',
    ITEM_ERROR: 'refused',
    TRANSFER_ERROR: 'refused',
    SANDBOX_ERROR: 'refused',
  },
});

/** Decisions on a proposed transfer. */
export const PLAID_DECISIONS = codeTable<'done' | 'refused'>({
  source: 'https://plaid.com/docs/api/products/transfer/initiating-transfers/ (decision)',
  read: null,
  meanings: { approved: 'done', declined: 'refused', user_action_required: 'refused' },
});
