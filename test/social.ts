import type { Body, Harness } from './harness.ts';

/** A member of the rewards app who links accounts. */
export interface SocialMember {
  readonly token: string;
  readonly userx_id: number;
  readonly phonex: string;
}

export interface SocialChat {
  readonly by: 'person' | 'bot';
  readonly text: string;
  readonly buttons: readonly { readonly id: string; readonly title: string }[];
  readonly alert: boolean;
}

export type SocialPlatform = 'telegram' | 'whatsapp';

/** What members and people at messengers do, in tests. */
export function socialBots(h: Harness) {
  let serial = 0;
  const next = () => {
    serial += 1;
    return String(serial).padStart(7, '0');
  };
  const wrote = async (path: string, body: object) => {
    const answer = await h.sandbox('POST', `/social/${path}`, body);
    await h.drain();
    return answer as { taken: boolean };
  };
  const platformOf = (from: string): SocialPlatform => (from.length > 10 ? 'whatsapp' : 'telegram');
  const write = (from: string, text: string, more: object = {}) =>
    wrote(`${platformOf(from)}/messages`, { from, name: 'Ada', text, ...more });
  const press = (from: string, button: string) =>
    wrote(`${platformOf(from)}/press`, { from, button });
  const start = (as: SocialMember, platform: SocialPlatform = 'telegram') =>
    h.call('POST /socialbot/start', { as, body: { platform } });
  const asked = async (as: SocialMember, from: string): Promise<string> => {
    const [, { data }] = await start(as, platformOf(from));
    await write(from, data.code);
    return data.link_id;
  };
  const confirming = async (as: SocialMember, from: string) => {
    const link_id = await asked(as, from);
    await press(from, 'Yes');
    return link_id;
  };
  const act = (as: SocialMember, link_id: string, what: 'confirm' | 'reject') =>
    h.call(`POST /socialbot/links/{link_id}/${what}`, { as, params: { link_id } });
  return {
    /** A member of a new number. */
    async member(): Promise<SocialMember> {
      const phone = `+62812${next()}`;
      const [, { token, user }] = await h.call('POST /xusers/login', { body: { phone } });
      return { token, ...user };
    },
    /** The number of somebody who has not written yet. */
    telegram: () => `71${next()}`,
    phone: () => `628131${next()}`,
    write,
    press,
    start,
    asked,
    confirming,
    act,
    link: async (as: SocialMember, link_id: string): Promise<Body> =>
      (await h.call('GET /socialbot/links/{link_id}', { as, params: { link_id } }))[1].data,
    unlink: (as: SocialMember, link_id: string) =>
      h.call('DELETE /socialbot/links/{link_id}', { as, params: { link_id } }),
    async linked(as: SocialMember, from: string): Promise<string> {
      const link_id = await confirming(as, from);
      await act(as, link_id, 'confirm');
      await h.drain();
      return link_id;
    },
    /** The chat as that person sees it, oldest first. */
    chat: async (from: string): Promise<SocialChat[]> =>
      (await h.sandbox('GET', `/social/${platformOf(from)}/chat?from=${from}`)).reverse(),
    /** What the bot said last. */
    async said(from: string): Promise<string | undefined> {
      const all = (await this.chat(from)).filter(({ by }) => by === 'bot');
      return all.at(-1)?.text;
    },
    points: async (as: SocialMember): Promise<number> =>
      (await h.call('GET /xprofiles/getme', { as }))[1].profile.point_balance,
  };
}
