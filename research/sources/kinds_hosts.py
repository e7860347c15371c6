"""Hosts whose kind is known. A host stands for itself and for every host below it."""

from __future__ import annotations

from collections.abc import Mapping

from research.vocabulary import SourceKind

_STATISTICS = """
e-stat.go.jp stat.go.jp census.gov bls.gov bea.gov eia.gov ons.gov.uk destatis.de insee.fr istat.it ine.es cbs.nl
scb.se ssb.no dst.dk stat.fi statbel.fgov.be bfs.admin.ch statistik.at stat.gov.pl statcan.gc.ca abs.gov.au
stats.govt.nz stats.gov.cn kostat.go.kr kosis.kr singstat.gov.sg dosm.gov.my nso.gov.vn gso.gov.vn bps.go.id
nso.go.th psa.gov.ph mospi.gov.in ibge.gov.br inegi.org.mx data.worldbank.org data.imf.org stats.oecd.org
data.oecd.org data-explorer.oecd.org unstats.un.org data.un.org comtradeplus.un.org ilostat.ilo.org uis.unesco.org
fred.stlouisfed.org stats.bis.org data.bis.org stat-search.boj.or.jp
"""
_GOVERNMENT = """
imf.org worldbank.org adb.org oecd.org un.org wto.org iea.org irena.org ilo.org fao.org unesco.org bis.org asean.org
boj.or.jp bankofengland.co.uk bundesbank.de banque-france.fr bok.or.kr
"""
_COMPANY = """
edinet-fsa.go.jp release.tdnet.info prtimes.jp atpress.ne.jp kyodonewsprwire.jp businesswire.com prnewswire.com
globenewswire.com annualreports.com
"""
_PAPER = """
arxiv.org biorxiv.org medrxiv.org ssrn.com doi.org ncbi.nlm.nih.gov jstage.jst.go.jp cir.nii.ac.jp
semanticscholar.org sciencedirect.com link.springer.com nature.com science.org plos.org mdpi.com frontiersin.org
ieeexplore.ieee.org dl.acm.org onlinelibrary.wiley.com academic.oup.com tandfonline.com journals.sagepub.com
pnas.org cell.com thelancet.com nejm.org bmj.com nber.org jstor.org
"""
_NEWS = """
reuters.com apnews.com afp.com bbc.com bbc.co.uk cnn.com nytimes.com wsj.com ft.com economist.com bloomberg.com
theguardian.com washingtonpost.com cnbc.com forbes.com aljazeera.com dw.com france24.com lemonde.fr spiegel.de
elpais.com scmp.com straitstimes.com channelnewsasia.com thehindu.com koreaherald.com vnexpress.net bangkokpost.com
thejakartapost.com nikkei.com asahi.com yomiuri.co.jp mainichi.jp sankei.com jiji.com kyodonews.jp nhk.or.jp
tokyo-np.co.jp chunichi.co.jp news.yahoo.co.jp japantimes.co.jp toyokeizai.net diamond.jp president.jp newspicks.com
itmedia.co.jp impress.co.jp
"""
_TRADE = """
nikkan.co.jp newswitch.jp xtech.nikkei.com monoist.itmedia.co.jp eetimes.itmedia.co.jp denkishimbun.com
logi-today.com lnews.jp kankyo-business.jp response.jp netdenjd.com chemicaldaily.co.jp jukagaku.co.jp shokuhin.net
keidanren.or.jp jcci.or.jp eetimes.com digitimes.com semiengineering.com trendforce.com autonews.com just-auto.com
flightglobal.com lloydslist.com tradewindsnews.com icis.com rechargenews.com pv-magazine.com offshorewind.biz
windpowermonthly.com power-technology.com mining.com mining-technology.com waterworld.com foodnavigator.com
just-drinks.com fiercepharma.com fiercebiotech.com utilitydive.com retaildive.com supplychaindive.com
constructiondive.com manufacturingdive.com fooddive.com bankingdive.com
"""
_BLOG = """
medium.com note.com substack.com wordpress.com blogspot.com blogger.com tumblr.com ghost.io typepad.com
livejournal.com dev.to hashnode.dev qiita.com zenn.dev hatenablog.com hatenablog.jp hateblo.jp hatenadiary.com
hatenadiary.jp ameblo.jp livedoor.blog blog.fc2.com seesaa.net cocolog-nifty.com exblog.jp jugem.jp muragon.com
"""
_SOCIAL = """
x.com twitter.com facebook.com instagram.com threads.net threads.com bsky.app linkedin.com reddit.com tiktok.com
youtube.com youtu.be quora.com chiebukuro.yahoo.co.jp pinterest.com mastodon.social news.ycombinator.com
stackoverflow.com stackexchange.com discord.com telegram.org t.me weibo.com zhihu.com vk.com 5ch.net
"""

KIND_OF_HOST: Mapping[str, SourceKind] = {
    host: kind
    for kind, hosts in {
        SourceKind.STATISTICS: _STATISTICS,
        SourceKind.GOVERNMENT: _GOVERNMENT,
        SourceKind.COMPANY: _COMPANY,
        SourceKind.PAPER: _PAPER,
        SourceKind.NEWS: _NEWS,
        SourceKind.TRADE: _TRADE,
        SourceKind.BLOG: _BLOG,
        SourceKind.SOCIAL: _SOCIAL,
    }.items()
    for host in hosts.split()
}
