import { nearestWord } from '#kernel/spelling.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Those with so few letters are near to many words of others: HOME is not HOST. */
const SHORT = 5;
const NAME = /^[A-Z][A-Z0-9_]{2,50}$/;

/**
 * Names of the environment that are none of ours and hardly anybody else's: a letter or two away from a
 * setting that is not set. Never a reason not to start, since the environment is everybody's.
 */
export function misspelt(env: Environment, settings: readonly string[]): string[] {
  const free = settings.filter((name) => (env[name] ?? '') === '');
  return Object.keys(env).flatMap((name) => {
    if (!NAME.test(name) || settings.includes(name) || env[name] === '') return [];
    const meant = nearestWord(name, free, name.length <= SHORT ? 1 : 2);
    return meant === undefined ? [] : [`${name} is no setting: did you mean ${meant}?`];
  });
}
