import { PAGE_ICON } from '#kernel/http/pages/page-style.ts';

/** Whom a reader may be at once, where nothing is at stake. */
export interface DemoLogIns {
  readonly apiKey: string;
  readonly people: Readonly<Record<string, { readonly email: string; readonly password: string }>>;
}

export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Archipay API reference</title>
${PAGE_ICON}
</head>
<body>
<div id="reference"></div>
<script src="/docs/renderer.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** What starts the renderer; requests that are tried go where the page came from, whatever its name. */
export const startScript = (
  loginPath: string,
  settings: object,
  demo: DemoLogIns | undefined,
): string => {
  const given = { loginPath, settings, demo: demo ?? null };
  return `(() => {\nconst { loginPath, settings, demo } = ${JSON.stringify(given)};\n${START}})();\n`;
};

/**
 * The bar to log in with. The token goes to the renderer as a setting, so the page is loaded again; what the
 * renderer has kept of somebody else is forgotten before, since it counts for more.
 */
const START = `
const KEPT = 'archipay-demo-log-in';
const kept = demo && JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
if (kept) settings.authentication.securitySchemes.token = { token: kept.token };
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  servers: [{ url: location.origin + '/api' }],
  ...settings,
});
if (demo) showBar();

function showBar() {
  const bar = document.createElement('section');
  bar.setAttribute('aria-label', 'Demo log-ins');
  bar.className = 'demo-bar';
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  status.textContent = kept ? kept.email : 'Demo log-in:';
  bar.append(status);
  for (const [name, person] of Object.entries(demo.people)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = name;
    button.setAttribute('aria-label', 'Log in as the demo ' + name);
    button.setAttribute('aria-pressed', String(kept?.email === person.email));
    button.addEventListener('click', () => logIn(person, status));
    bar.append(button);
  }
  document.body.prepend(bar);
}

async function logIn({ email, password }, status) {
  status.textContent = 'One moment…';
  try {
    const reply = await fetch(loginPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': demo.apiKey },
      body: JSON.stringify({ usernameoremail: email, password }),
    });
    const { data, error, requires_2fa } = await reply.json();
    if (!data?.token) {
      status.textContent = requires_2fa ? 'A second factor is asked for: log in below' : error;
      return;
    }
    for (const key of Object.keys(localStorage))
      if (key.startsWith('scalar-reference-auth')) localStorage.removeItem(key);
    sessionStorage.setItem(KEPT, JSON.stringify({ email, token: data.token }));
    location.reload();
  } catch {
    status.textContent = 'The service could not be reached';
  }
}
`;

/** Without the usual upgrade to HTTPS: the reference also has to open over plain HTTP. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
