import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';

interface AnnouncedPolicy {
  readonly name: string;
  readonly isRetired: boolean;
  /** When it takes effect. */
  readonly at: string;
}

/** For the one admin of a client, whose request takes effect a day later. */
export const POLICY_TEXTS: Localised<(policy: AnnouncedPolicy) => MessageWords> = {
  en: ({ name, isRetired, at }) => {
    const act = isRetired ? 'retired' : 'published';
    return {
      subject: `A policy will be ${act}`,
      text: [
        `Your account has asked for the policy “${name}” to be ${act}. You are the only admin of your client, so it takes effect on ${at}.`,
        'If you did not ask for it, change your password, edit the policy, and write to the operator.',
      ],
    };
  },
  id: ({ name, isRetired, at }) => {
    const act = isRetired ? 'dicabut' : 'diterbitkan';
    return {
      subject: `Sebuah kebijakan akan ${act}`,
      text: [
        `Akun Anda meminta kebijakan “${name}” ${act}. Anda satu-satunya admin klien Anda, jadi permintaan ini berlaku pada ${at}.`,
        'Jika Anda tidak memintanya, ganti kata sandi Anda, ubah kebijakan itu, dan hubungi operator.',
      ],
    };
  },
};
