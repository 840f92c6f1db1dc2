import { stemWord } from './stem.ts'

const COUNTRIES =
  'Germany:DE:DEU:German|Austria:AT:AUT:Austrian|Switzerland:CH:CHE:Swiss|France:FR:FRA:French|Netherlands:NL:NLD:Dutch|Denmark:DK:DNK:Danish|Poland:PL:POL:Polish|Sweden:SE:SWE:Swedish|Norway:NO:NOR:Norwegian|Finland:FI:FIN:Finnish|Spain:ES:ESP:Spanish|Portugal:PT:PRT:Portuguese|Italy:IT:ITA:Italian|Belgium:BE:BEL:Belgian|Luxembourg:LU:LUX:|Ireland:IE:IRL:Irish|United Kingdom:GB:GBR:British|United States:US:USA:American|Canada:CA:CAN:Canadian|Mexico:MX:MEX:Mexican|Brazil:BR:BRA:Brazilian|Argentina:AR:ARG:Argentinian|Chile:CL:CHL:|Colombia:CO:COL:|Peru:PE:PER:|Australia:AU:AUS:Australian|New Zealand:NZ:NZL:|Japan:JP:JPN:Japanese|China:CN:CHN:Chinese|India:IN:IND:Indian|South Korea:KR:KOR:Korean|Singapore:SG:SGP:|Indonesia:ID:IDN:|Thailand:TH:THA:Thai|Vietnam:VN:VNM:|Philippines:PH:PHL:|Malaysia:MY:MYS:|Turkey:TR:TUR:Turkish|Greece:GR:GRC:Greek|Czechia:CZ:CZE:Czech|Slovakia:SK:SVK:|Hungary:HU:HUN:Hungarian|Romania:RO:ROU:Romanian|Bulgaria:BG:BGR:|Croatia:HR:HRV:|Slovenia:SI:SVN:|Ukraine:UA:UKR:Ukrainian|Russia:RU:RUS:Russian|Israel:IL:ISR:|Egypt:EG:EGY:|South Africa:ZA:ZAF:|Nigeria:NG:NGA:|Kenya:KE:KEN:|Morocco:MA:MAR:|Saudi Arabia:SA:SAU:|United Arab Emirates:AE:ARE:'

const formsByStems = new Map<string, string[]>()
for (const line of COUNTRIES.split('|')) {
  const [name = '', two = '', three = '', people = ''] = line.split(':')
  const forms = [two, three, name]
  for (const word of [name, people])
    if (word !== '')
      formsByStems.set(
        word
          .split(' ')
          .map((part) => stemWord(part))
          .join(' '),
        forms,
      )
}
formsByStems.set('usa', ['US', 'USA', 'United States'])
formsByStems.set('uk', ['GB', 'UK', 'GBR', 'United Kingdom'])
formsByStems.set('england', ['GB', 'UK', 'England'])
formsByStems.set('america', ['US', 'USA', 'United States'])

/** ISO codes and other stored forms of a country name, given by the name's stems. */
export const listCountryForms = (nameStems: string): readonly string[] => formsByStems.get(nameStems) ?? []
