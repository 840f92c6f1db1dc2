/**
 * Runs inline before the first paint. Theme: the stored preference, then dark for the AI area, then the system's. A
 * public page that may redirect stays hidden until the deciding script has run. Reserves the place of the single
 * sign-on button.
 */
export const FIRST_PAINT = `(function(d,l,p,t){
try{p=JSON.parse(localStorage.getItem('trellis.profile'));t=p&&p.preferences&&p.preferences.themeMode}catch(e){}
if(/^\\/[^/]+\\/[^/]+\\/ai(\\/|$)/.test(l))t='dark';
if(t!=='light'&&t!=='dark')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';
d.dataset.theme=t;
if(document.querySelector('meta[name="trellis-sso"]'))d.dataset.sso='';
if((p&&(l==='/'||l==='/login'||l==='/signup'||l==='/activate'))||(l==='/reset'&&!(history.state&&history.state.email)))d.dataset.checking='';
})(document.documentElement,location.pathname)`
