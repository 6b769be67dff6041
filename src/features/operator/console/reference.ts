import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const CONSOLE_WORDS: FeatureWords = {
  tags: {
    console: {
      group: 'Operations',
      text: 'The log-in of the console, for admins: its own page calls them, and a cookie keeps the session.',
    },
  },
  values: {
    home: {
      operator: 'Of the operator, whose people see all clients',
      client: 'Of a client, whose people see their own',
    },
  },
  places: {
    'console.me.version': '1.0.0',
    'console.me.organisation': 'Demo',
    'NamedPerson.organisation': 'Demo',
  },
  origins: [
    [/^console\.\w+$/, 'A browser at `/console`: its page sends the cookie and its origin'],
  ],
  titles: {
    'console.signIn': 'Sign in to the console',
    'console.signOut': 'Sign out of the console',
    'console.completeSignIn': 'Complete the console log-in',
    'console.prove': 'Prove who is at the console',
    'console.me': 'Get the console session',
    'console.people': 'Get names of people',
  },
};
