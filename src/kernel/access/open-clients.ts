import { fail } from '../error.ts';

/** What a caller is told whose client the operator has stopped, by whichever way in. */
export const clientStopped = () =>
  fail('ACCOUNT_NOT_ACTIVE', 'The organisation is not active', {
    hint: 'The operator has stopped this client: none of its keys and log-ins is let in.',
  });
