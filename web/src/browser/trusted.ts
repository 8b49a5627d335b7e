/** Addresses of scripts, as the page's policy wants them (trusted types): it allows no others. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): unknown };
}

const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
const policy = types?.createPolicy('tilesight', { createScriptURL: (url) => url });

/** The address of a worker's script of this page. */
export const trusted = (url: string): string => (policy?.createScriptURL(url) ?? url) as string;
