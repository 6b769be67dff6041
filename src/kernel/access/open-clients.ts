import { fail } from '../error.ts';

/** The refusal for a caller whose client the operator has suspended, at every way in. */
export const clientStopped = () =>
  fail('ACCOUNT_NOT_ACTIVE', 'The organisation is not active', {
    hint: 'The operator has stopped this client: none of its keys and log-ins is let in.',
  });
