import { codeTable } from '../code-table.ts';

/** What the `error_code` of the Bot API means for a message. It documents that the values may change. */
export const TELEGRAM_CODES = codeTable<'refused' | 'wait'>({
  source:
    'https://core.telegram.org/bots/api#making-requests, https://core.telegram.org/api/errors',
  read: '2026-11-28',
  meanings: {
    /** No such chat, or a text that is none. */
    '400': 'refused',
    /** The person has blocked the bot, or has never begun a chat with it. */
    '403': 'refused',
    /** The token, which an operator can put right: the API answers 404 to one that has another form. */
    '401': 'wait',
    '404': 'wait',
    '420': 'wait',
    '429': 'wait',
    '500': 'wait',
  },
});
