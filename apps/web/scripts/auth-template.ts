export interface RenderedPage {
  title: string
  body: string
}

const BODY = '<!--auth:body-->'

export function fillTemplate(template: string, { title, body }: RenderedPage): string {
  if (!template.includes(BODY)) throw new Error(`sign-in.html has lost its ${BODY} mark`)
  return template.replace(/<title>.*?<\/title>/, () => `<title>${title}</title>`).replace(BODY, () => body)
}
