/** Characters of a new member's password, at least. */
export const MEMBER_PASSWORD_MIN = 8;

/** What is said to somebody who has just joined. */
export const JOINED = {
  en: 'You are in the team. Log in, and set up a second factor: approvals need one.',
  id: 'Anda sudah bergabung. Masuk, lalu aktifkan faktor kedua: persetujuan memerlukannya.',
} as const;
