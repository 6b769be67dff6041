/** What somebody has chosen for this browser: colours and keys. Nothing of it is secret, or of an account. */
export type Scheme = 'system' | 'light' | 'dark';

const read = (name: string): string | null => {
  try {
    return localStorage.getItem(`archipay-console-${name}`);
  } catch {
    return null;
  }
};

function write(name: string, value: string): void {
  try {
    localStorage.setItem(`archipay-console-${name}`, value);
  } catch {
    // A browser that keeps nothing shows its own choice again next time.
  }
}

export const schemeNow = (): Scheme => {
  const chosen = read('scheme');
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
};

export function chooseScheme(next: Scheme): void {
  write('scheme', next);
  showScheme();
}

/** Before the first paint, and whenever it is chosen. */
export function showScheme(): void {
  const { dataset } = document.documentElement;
  const scheme = schemeNow();
  if (scheme === 'system') delete dataset['scheme'];
  else dataset['scheme'] = scheme;
}

/** Whether single letters are shortcuts: who speaks to the browser may turn them off (WCAG 2.1.4). */
export const hasLetters = (): boolean => read('letters') !== 'off';
export const chooseLetters = (isOn: boolean): void => write('letters', isOn ? 'on' : 'off');
