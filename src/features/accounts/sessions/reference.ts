import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const SESSIONS_WORDS: FeatureWords = {
  tags: {
    sessions: {
      group: 'People',
      text: 'The open log-ins of a person, which can be ended one by one or all at once.',
    },
  },
  titles: {
    'sessions.endOthers': 'End all other sessions',
    'sessions.prove': 'Prove who is there',
  },
  descriptions: {
    'sessions.list':
      'Users see their own sessions, with the network and program of each log-in. `DELETE /sessions/{session_id}` ends one of them.',
    'sessions.prove':
      'A user calls it before an operation that needs a proof. It takes the password, a code of the authenticator app or a backup code.',
    'sessions.endOthers':
      'Users end all other sessions of their own, for example after a device was lost. `session.revoked` follows for each.',
  },
  places: {
    'Session.method': 'password',
  },
  origins: [
    [/^sessions\.end\.session_id$/, 'sessions.list'],
    [/^sessions\.prove$/, 'A log-in with a password or a second factor'],
  ],
};
