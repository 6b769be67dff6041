import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

export const SIMULATED_PLAID_PROVIDER = 'plaid';

/** Every answer has a name, by which people ask about it. */
export const answered = <T extends object>(body: T): T & { request_id: string } => ({
  ...body,
  request_id: randomBytes(9).toString('base64url').replace(/[-_]/g, 'x'),
});

export interface Problem {
  readonly type: string;
  readonly code: string;
  readonly message: string;
}

/** Their error object; most faults of a request are 400 there. */
export const problem = (reply: FastifyReply, { type, code, message }: Problem, status = 400) =>
  reply.code(status).send(plaidError(type, code, message));

export const plaidError = (type: string, code: string, message: string) =>
  answered({
    display_message: null,
    documentation_url: `https://plaid.com/docs/?ref=error#${type.toLowerCase().replaceAll('_', '-')}-errors`,
    error_code: code,
    error_message: message,
    error_type: type,
    suggested_action: null,
  });

const input = (code: string, message: string): Problem => ({
  type: 'INVALID_INPUT',
  code,
  message,
});

export const BAD_KEYS = input('INVALID_API_KEYS', 'invalid client_id or secret provided');
export const NO_ACCESS_TOKEN = input(
  'INVALID_ACCESS_TOKEN',
  'could not find matching access token',
);
export const NO_PUBLIC_TOKEN = input(
  'INVALID_PUBLIC_TOKEN',
  'could not find matching public token',
);
export const NO_LINK_TOKEN = input('INVALID_LINK_TOKEN', 'could not find matching link token');
export const NO_ACCOUNT = input('INVALID_ACCOUNT_ID', 'failed to find requested account ID');
export const NO_INSTITUTION = input('INVALID_INSTITUTION', 'invalid institution_id provided');
export const NO_KEY = input('INVALID_WEBHOOK_VERIFICATION_KEY_ID', 'invalid key_id provided');

export const badField = (message: string): Problem => ({
  type: 'INVALID_REQUEST',
  code: 'INVALID_FIELD',
  message,
});
export const notFound = (message: string): Problem => ({
  type: 'INVALID_REQUEST',
  code: 'NOT_FOUND',
  message,
});
export const ITEM_GONE: Problem = {
  type: 'ITEM_ERROR',
  code: 'ITEM_NOT_FOUND',
  message: 'The Item you requested cannot be found. It may have been removed.',
};
/** The bank has ended the log-in: its owner has to log in there again. */
export const LOGIN_REQUIRED: Problem = {
  type: 'ITEM_ERROR',
  code: 'ITEM_LOGIN_REQUIRED',
  message:
    'the login details of this item have changed and a user login is required to update this',
};
export const NOT_CANCELLABLE: Problem = {
  type: 'TRANSFER_ERROR',
  code: 'TRANSFER_NOT_CANCELLABLE',
  message: 'transfer is not cancellable',
};
export const BAD_STEP: Problem = {
  type: 'SANDBOX_ERROR',
  code: 'SANDBOX_TRANSFER_EVENT_TRANSITION_INVALID',
  message: 'The provided simulated event type is incompatible with the current transfer status',
};
