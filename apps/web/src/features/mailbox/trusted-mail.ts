interface Policy {
  createHTML: (html: string) => string
}
interface Factory {
  createPolicy: (name: string, rules: Policy) => Policy
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const policy = factory?.createPolicy('trellis-mailbox', { createHTML: (html) => html })

/** A Trusted Types policy for HTML that only goes into a sandboxed frame. */
export function trustedMail(html: string): string {
  return policy ? policy.createHTML(html) : html
}
