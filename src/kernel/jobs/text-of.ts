/** As it came from outside: cut, without halves of signs and without what the database has no sign for. */
export const textOf = (text: string, max: number): string =>
  text.slice(0, max).toWellFormed().replaceAll('\u0000', '\ufffd');
