export const PASSWORD_RULE = 'at least 8 characters with a capital letter, a number and a special character'

export const PASSWORD_RULES: readonly { text: string; isMet: (password: string) => boolean }[] = [
  { text: 'At least 8 characters', isMet: (password) => password.length >= 8 },
  { text: 'A capital letter', isMet: (password) => /\p{Lu}/u.test(password) },
  { text: 'A number', isMet: (password) => /\p{Nd}/u.test(password) },
  { text: 'A special character', isMet: (password) => /[^\p{L}\p{N}\s]/u.test(password) },
]
