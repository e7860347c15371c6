"""The units that are read: symbol | dimension | size in the dimension's first unit | names.

Units of one dimension can be converted into each other. Names of two or three words are written with blanks; plurals
in "s" need no name of their own.
"""

UNITS = """
%      | share   | 1        | %, percent, per cent, pct, percentage, パーセント, ％, ㌫, プロセント
‰      | share   | 0.1      | ‰, per mille, per mil, パーミル
ppm    | share   | 0.0001   | ppm
pp     | points  | 1        | pp, ppt, ppts, p.p, percentage point, percentage-point, percent point, per cent point, \
%ポイント, パーセントポイント, パーセント・ポイント, ポイント
points | points  | 1        | point
bps    | points  | 0.01     | bp, bps, basis point, ベーシスポイント, ベーシス・ポイント
x      | ratio   | 1        | x, ×, times, fold, 倍
g      | mass    | 0.001    | g, gram, gramme, グラム
mg     | mass    | 0.000001 | mg, milligram, ミリグラム
µg     | mass    | 1e-9     | µg, mcg, microgram, マイクログラム
kg     | mass    | 1        | kg, kilogram, kilogramme, kilo, キログラム, ㎏
t      | mass    | 1000     | t, ton, tonne, metric ton, metric tonne, トン, ㌧
kt     | mass    | 1e6      | kt, kiloton, kilotonne, キロトン
Mt     | mass    | 1e9      | Mt, megaton, megatonne, メガトン
Gt     | mass    | 1e12     | Gt, gigaton, gigatonne, ギガトン
lb     | mass    | 0.45359  | lb, lbs
oz     | mass    | 0.02835  | oz, ounce, オンス
tCO2   | carbon  | 1        | tCO2, tCO2e, t-CO2, t-CO2e, tonnes of CO2, tons of CO2, トンCO2
MtCO2  | carbon  | 1e6      | MtCO2, MtCO2e, Mt-CO2
nm     | nautical | 1       | nm, nmi, nautical mile, 海里
mm     | length  | 0.001    | mm, millimeter, millimetre, ミリメートル, ミリ, ㎜
cm     | length  | 0.01     | cm, centimeter, centimetre, センチメートル, センチ, ㎝
m      | length  | 1        | m, meter, metre, メートル
km     | length  | 1000     | km, kilometer, kilometre, キロメートル, ㎞
mi     | length  | 1609.34  | mi, mile, マイル
ft     | length  | 0.3048   | ft, foot, feet, フィート
in     | length  | 0.0254   | inch, inches, インチ
yd     | length  | 0.9144   | yd, yds, yard, ヤード
m²     | area    | 1        | m², m2, sqm, sq m, square meter, square metre, 平方メートル, 平米, 平方m, ㎡
km²    | area    | 1e6      | km², km2, sqkm, sq km, square kilometer, square kilometre, \
平方キロ, 平方キロメートル, 平方km, ㎢
mi²    | area    | 2589988  | sq mi, square mile, 平方マイル
ft²    | area    | 0.0929   | ft², ft2, sq ft, square foot, square feet, 平方フィート
ha     | area    | 10000    | ha, hectare, ヘクタール, ㌶, ㏊
acre   | area    | 4046.86  | acre, エーカー
坪     | area    | 3.30579  | tsubo, 坪
m³     | volume  | 1        | m³, m3, cu m, cubic meter, cubic metre, 立方メートル, 立米, ㎥
mph    | speed   | 1        | mph
km³    | volume  | 1e9      | km³, km3, cu km, cubic kilometer, cubic kilometre, 立方キロメートル
ft³    | volume  | 0.0283   | ft³, cu ft, cubic foot, cubic feet, 立方フィート
L      | volume  | 0.001    | L, l, liter, litre, リットル, ℓ
mL     | volume  | 0.000001 | mL, ml, milliliter, millilitre, ミリリットル
kL     | volume  | 1        | kL, kl, kiloliter, kilolitre, キロリットル, ㎘
bbl    | volume  | 0.158987 | bbl, bbls, barrel, バレル
gal    | volume  | 0.003785 | gal, gallon, ガロン
mcm    | volume  | 1e6      | mcm
bcm    | volume  | 1e9      | bcm
W      | power   | 1        | W, watt, ワット
kW     | power   | 1000     | kW, kw, KW, kilowatt, キロワット
MW     | power   | 1e6      | MW, megawatt, メガワット
GW     | power   | 1e9      | GW, gigawatt, ギガワット
TW     | power   | 1e12     | TW, terawatt, テラワット
hp     | power   | 745.7    | hp, horsepower, 馬力
Wh     | energy  | 1        | Wh, watt hour, watt-hour, ワット時
kWh    | energy  | 1000     | kWh, kwh, KWh, kilowatt hour, kilowatt-hour, キロワット時, キロワットアワー
MWh    | energy  | 1e6      | MWh, megawatt hour, megawatt-hour, メガワット時
GWh    | energy  | 1e9      | GWh, gigawatt hour, gigawatt-hour, ギガワット時
TWh    | energy  | 1e12     | TWh, terawatt hour, terawatt-hour, テラワット時
MJ     | energy  | 277.778  | MJ, megajoule, メガジュール
GJ     | energy  | 277778   | GJ, gigajoule, ギガジュール
TJ     | energy  | 2.77778e8 | TJ, terajoule
PJ     | energy  | 2.77778e11 | PJ, petajoule, ペタジュール
EJ     | energy  | 2.77778e14 | EJ, exajoule, エクサジュール
Btu    | energy  | 0.293071 | Btu, BTU
MMBtu  | energy  | 293071   | MMBtu, mmbtu
kcal   | energy  | 1.163    | kcal, kilocalorie, キロカロリー
Mtoe   | energy  | 1.163e13 | Mtoe
Ah     | charge  | 1        | Ah
mAh    | charge  | 0.001    | mAh
V      | voltage | 1        | V, volt, ボルト
kV     | voltage | 1000     | kV, kilovolt, キロボルト
A      | current | 1        | ampere, アンペア
Hz     | frequency | 1      | Hz, hertz, ヘルツ
kHz    | frequency | 1000   | kHz, kilohertz
MHz    | frequency | 1e6    | MHz, megahertz, メガヘルツ
GHz    | frequency | 1e9    | GHz, gigahertz, ギガヘルツ
kB     | data    | 1000     | kB, KB, kilobyte
MB     | data    | 1e6      | MB, megabyte, メガバイト
GB     | data    | 1e9      | GB, gigabyte, ギガバイト
TB     | data    | 1e12     | TB, terabyte, テラバイト
PB     | data    | 1e15     | PB, petabyte, ペタバイト
kbps   | bitrate | 1000     | kbps, Kbps
Mbps   | bitrate | 1e6      | Mbps, Mb/s, メガビット毎秒
Gbps   | bitrate | 1e9      | Gbps, Gb/s, ギガビット毎秒
Pa     | pressure | 1       | Pa, pascal, パスカル
hPa    | pressure | 100     | hPa, ヘクトパスカル
kPa    | pressure | 1000    | kPa
MPa    | pressure | 1e6     | MPa
bar    | pressure | 1e5     | bar
dB     | sound   | 1        | dB, decibel, デシベル
°C     | celsius | 1        | °C, ℃, degrees Celsius, degree Celsius, degrees C, deg C, °c, º C, ºC, ° C
°F     | fahrenheit | 1     | °F, ℉, degrees Fahrenheit, degree Fahrenheit, ºF, ° F
°      | celsius | 1        | °, º, degree, 度
TEU    | container | 1      | TEU, TEUs
ms     | clock   | 0.001    | ms, millisecond, ミリ秒
s      | clock   | 1        | s, sec, secs, second, 秒, 秒間
min    | clock   | 60       | min, mins, minute, 分, 分間
h      | clock   | 3600     | h, hr, hrs, hour, 時間
days   | clock   | 86400    | day, 日間, 日
weeks  | clock   | 604800   | wk, wks, week, 週, 週間
months | calendar | 1       | month, か月, カ月, 箇月, か月間, カ月間, 月間
quarters | calendar | 3     | 四半期
years  | calendar | 12      | yr, yrs, year, 歳, 才, 年, 年間, か年, カ年
units  | count   | 1        | unit, piece, pcs, 台, 個, 基, 本, 枚, 点, 機, 両, 体, 着, 足, セット, ユニット
people | count   | 1        | people, person, persons, worker, employee, resident, inhabitant, citizen, \
staff, population, migrant, immigrant, refugee, visitor, tourist, patient, student, pupil, user, subscriber, \
customer, passenger, respondent, participant, graduate, engineer, member, 人, 名, ユーザー
deaths | count   | 1        | death, fatality, fatalities
births | count   | 1        | birth, live birth
households | count | 1      | household, 世帯
companies | count | 1       | company, companies, firm, corporation, enterprise, startup, start-up, supplier, \
manufacturer, 社, 企業
shops  | count   | 1        | shop, store, outlet, restaurant, branch, branches, 店, 店舗
sites  | count   | 1        | factory, factories, plant, site, location, facility, facilities, office, \
か所, カ所, 箇所, 拠点, 工場, 施設
countries | count | 1       | country, countries, nation, か国, カ国
cases  | count   | 1        | case, incident, accident, project, deal, transaction, contract, order, application, 件
times  | ratio   | 1        | occasion, 回
vehicles | count | 1        | vehicle, car, truck, bus, buses, motorcycle
aircraft | count | 1        | aircraft, airplane, aeroplane, helicopter
ships  | count   | 1        | ship, vessel, 隻, 艘
buildings | count | 1       | building, house, home, dwelling, 棟, 戸
animals | count  | 1        | animal, head of cattle, 頭, 匹, 羽
shares | count   | 1        | share, 株
seats  | count   | 1        | seat, 議席, 席
beds   | count   | 1        | bed, 床
schools | count  | 1        | school, university, universities, college, 校
hospitals | count | 1       | hospital, clinic
kinds  | count   | 1        | kind, type, species, 種, 種類, 品目, 銘柄
islands | count  | 1        | island, 島
reactors | count | 1        | reactor
rank   | rank    | 1        | 位
"""
