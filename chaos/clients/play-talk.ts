import { format } from '#kernel/money/money.ts';
import { fieldOf } from './answer.ts';
import { type Of, personOf, type Scene, step } from './play.ts';

/** The text that the agent requests, once its answer has arrived. */
const codeIn = (answer: unknown): string | undefined => {
  const code = fieldOf(answer, 'agent_response.data.confirmation.code');
  return typeof code === 'string' ? code : undefined;
};

/**
 * A transfer by chat: a request, and a yes. The agent gives its answers once, so a yes may have to be sent without the
 * code that a repeated request needs; then the agent shows the code.
 */
export async function playTalk(scene: Scene, flow: Of<'talk'>): Promise<void> {
  const { user, chain, to } = flow;
  const units = BigInt(flow.units);
  const effect = { kind: 'talk', user, chain, asset: 'USDC', units, to } as const;
  const amount = format({ asset: 'USDC', units });
  const { user_id } = personOf(scene.people, user);
  const say = (name: string, user_input: string, effect_: typeof effect | { kind: 'nothing' }) =>
    scene.ask(
      step(scene, flow, name, {
        path: '/agent/wallets/process',
        body: { user_id, user_input },
        effect: effect_,
      }),
    );
  const request = `Send ${amount} USDC to ${to} on ${chain}, from "First"`;
  const question = await say('wish', request, { kind: 'nothing' });
  const yes = (code: string | undefined) => (code === undefined ? 'yes' : `yes ${code}`);
  const answer = await say('yes', yes(codeIn(question)), effect);
  const wanted = fieldOf(answer, 'agent_response.missing_parameter') === 'confirmation';
  if (wanted) await say('yes-again', yes(codeIn(answer)), effect);
}
