import type { Body, Harness, Person } from './harness.ts';

/** What a user says to the agent: the status, and what it answers. */
export const talking =
  (h: Harness) =>
  async (as: Person, user_input: string, context?: object): Promise<[number, Body]> => {
    const [status, body] = await h.call('POST /agent/wallets/process', {
      as,
      body: { user_input, user_id: as.user_id, ...(context && { context }) },
    });
    return [status, body.agent_response ?? body];
  };

/** What the sandbox's model says next, whatever it is asked: a model that somebody has turned. */
export const turned = (h: Harness, proposal: object | string, times = 1) =>
  h.sandbox('POST', '/llm/answers', {
    task: 'wallet-intent',
    content: typeof proposal === 'string' ? proposal : JSON.stringify(proposal),
    times,
  });
