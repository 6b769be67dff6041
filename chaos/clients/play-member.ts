import { textOf } from './answer.ts';
import type { Effect } from './books.ts';
import { type Of, type Scene, step } from './play.ts';

/** The device that shows a member's points by push notifications. */
export const deviceOf = (phone: string): string => `device-${phone.slice(1)}`;

const SOCIAL = { instagram: 'instagram.com', telegram: 't.me' } as const;

/** A new member of the rewards app, who then collects points. */
export async function playMember(scene: Scene, flow: Of<'member'>): Promise<void> {
  const { phone, actions } = flow;
  const body = { phone, device_token: deviceOf(phone) };
  const logIn = (name: string, effect: Effect) =>
    scene.ask(step(scene, flow, name, { path: '/xusers/login', body, effect }));
  const first = await logIn('log-in', { kind: 'member', phone });
  // A lost token is not answered again.
  const entered = first ?? (await logIn('log-in-again', { kind: 'nothing' }));
  const token = textOf(entered, 'token');
  const serial = phone.slice(-4);
  const does = {
    username: ['/xprofiles/claim-username', { username: `member.${serial}` }],
    contacts: [
      '/xcontacts/sync',
      { contacts: [{ contact_name: 'Ada', contact_phone: '+12025550190' }] },
    ],
    instagram: ['/xsocial/claim', { platform: `https://www.${SOCIAL.instagram}/m${serial}` }],
    telegram: ['/xsocial/claim', { platform: `https://${SOCIAL.telegram}/m${serial}` }],
  } as const;
  for (const action of actions) {
    const [path, sent] = does[action];
    const effect = { kind: 'points', phone, action } as const;
    await scene.ask(step(scene, flow, action, { path, body: sent, effect, token }));
  }
}
