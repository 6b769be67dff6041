import type { PageLanguage } from '#kernel/http/pages/language.ts';
import type { Unread } from '#providers/messages/port.ts';

/** All that the bots say. An alert of Telegram has room for 200 characters. */
export interface BotTexts {
  readonly yes: string;
  readonly no: string;
  readonly help: string;
  ask(member: string): string;
  readonly confirmInApp: string;
  readonly refused: string;
  readonly over: string;
  readonly wrongCode: string;
  readonly tooManyCodes: string;
  readonly takenByAnother: string;
  readonly linked: string;
  readonly notTheirs: string;
  readonly unread: Readonly<Record<Unread, string>>;
}

export const BOT_TEXTS: Readonly<Record<PageLanguage, BotTexts>> = {
  en: {
    yes: 'Yes',
    no: 'No',
    help: 'I link this account to your membership in the rewards app. Start there, and send me the code that it shows.',
    ask: (member) => `Link this account to the member ${member}? You will not be asked for money.`,
    confirmInApp: 'Thank you. Now confirm in the app that this account is yours.',
    refused: 'Nothing was linked.',
    over: 'This question is over. Start again in the app.',
    wrongCode:
      'This code is not right, or it is over. The app shows the right one for ten minutes.',
    tooManyCodes: 'These were too many wrong codes. For an hour I answer nothing.',
    takenByAnother:
      'This account or this member is linked already, so nothing was changed. If you did not ask for it, do nothing.',
    linked: 'This account is linked to your membership now. You can end that in the app.',
    notTheirs: 'The member has said that this account is not theirs. Nothing was linked.',
    unread: {
      group: 'I answer in a chat with me alone. Please write to me there.',
      forwarded: 'I read no forwarded messages. Please write the code yourself.',
      edited: 'I read no edited messages. Please send the code as a new one.',
      media: 'I read text only. Please send the code that the app shows.',
    },
  },
  id: {
    yes: 'Ya',
    no: 'Tidak',
    help: 'Saya menghubungkan akun ini dengan keanggotaan Anda di aplikasi hadiah. Mulailah di sana, lalu kirim kode yang ditampilkan.',
    ask: (member) => `Hubungkan akun ini dengan anggota ${member}? Anda tidak akan dimintai uang.`,
    confirmInApp: 'Terima kasih. Sekarang konfirmasikan di aplikasi bahwa akun ini milik Anda.',
    refused: 'Tidak ada yang dihubungkan.',
    over: 'Pertanyaan ini sudah berakhir. Mulailah lagi di aplikasi.',
    wrongCode:
      'Kode ini salah atau sudah tidak berlaku. Aplikasi menampilkan kode yang benar selama sepuluh menit.',
    tooManyCodes: 'Terlalu banyak kode yang salah. Selama satu jam saya tidak menjawab.',
    takenByAnother:
      'Akun atau anggota ini sudah terhubung, jadi tidak ada yang diubah. Jika Anda tidak memintanya, abaikan saja.',
    linked:
      'Akun ini sekarang terhubung dengan keanggotaan Anda. Anda dapat memutuskannya di aplikasi.',
    notTheirs: 'Anggota itu menyatakan akun ini bukan miliknya. Tidak ada yang dihubungkan.',
    unread: {
      group: 'Saya hanya menjawab di obrolan pribadi. Silakan kirim pesan kepada saya di sana.',
      forwarded: 'Saya tidak membaca pesan terusan. Silakan tulis kodenya sendiri.',
      edited: 'Saya tidak membaca pesan yang diubah. Silakan kirim kodenya sebagai pesan baru.',
      media: 'Saya hanya membaca teks. Silakan kirim kode yang ditampilkan aplikasi.',
    },
  },
};
